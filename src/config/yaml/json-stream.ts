/**
 * The JSON objects of a text that follow one another with nothing but white space between, as offsets of their starts;
 * undefined where it is anything else than that. kubectl reads such a stream, which YAML knows nothing of.
 */
export function jsonStarts(text: string, from = 0): readonly number[] | undefined {
  const starts: number[] = [];
  let at = skipSpace(text, from);
  while (at < text.length) {
    const end = endOfObject(text, at);
    if (end === undefined || !isJson(text.slice(at, end))) return undefined;
    starts.push(at);
    at = skipSpace(text, end);
  }
  return starts.length === 0 ? undefined : starts;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Where the object that starts at `from` ends, if one starts there. */
function endOfObject(text: string, from: number): number | undefined {
  if (text[from] !== '{') return undefined;
  const mark = /["{}]/g;
  mark.lastIndex = from;
  let depth = 0;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    if (match[0] === '{') depth++;
    else if (match[0] === '}') depth--;
    else {
      const end = endOfString(text, match.index);
      if (end === undefined) return undefined;
      mark.lastIndex = end;
    }
    if (depth === 0) return mark.lastIndex;
  }
  return undefined;
}

const stringPart = /["\\\n]/g;

function endOfString(text: string, from: number): number | undefined {
  stringPart.lastIndex = from + 1;
  for (let match = stringPart.exec(text); match !== null; match = stringPart.exec(text)) {
    if (match[0] === '"') return stringPart.lastIndex;
    if (match[0] === '\n') return undefined;
    stringPart.lastIndex++;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
