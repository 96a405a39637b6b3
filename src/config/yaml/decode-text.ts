const maxBytes = 10 * 1024 * 1024;
const pointerStart = 'version https://git-lfs.github.com/spec/';

export type DecodedText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** The text of a file, or why it is none: too large, not UTF-8, or the pointer that Git LFS leaves in its place. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes.byteLength > maxBytes) {
    const size = (bytes.byteLength / 1024 / 1024).toFixed(1);
    return { ok: false, message: `the file is ${size} MiB; at most ${maxBytes / 1024 / 1024} MiB are read` };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.startsWith(pointerStart)) {
      return { ok: false, message: 'the file is kept in Git LFS, which is not read; commit its content' };
    }
    return { ok: true, text };
  } catch {
    return { ok: false, message: 'the file is not UTF-8 text' };
  }
}
