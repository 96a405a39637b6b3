/**
 * Characters that a terminal or a reader's eye could be led astray by: controls (an escape sequence from a live
 * object could clear the screen or rewrite lines above), invisible ones, and those that reverse the direction of text.
 */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** Text in which every unsafe character stands as a visible escape: '\n', '\t' or '\u001b'. */
export function neutralise(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return unicodeEscape(character);
  });
}

/**
 * JSON text of the same meaning without a raw unsafe character. JSON.stringify already escapes what is below U+0020
 * inside strings; the line breaks of its indentation stay.
 */
export function neutraliseJson(json: string): string {
  return json.replace(unsafe, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
