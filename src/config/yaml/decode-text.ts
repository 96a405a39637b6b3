const maxBytes = 10 * 1024 * 1024;
const pointerStart = 'version https://git-lfs.github.com/spec/';

export type DecodedText =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/**
 * The text of a file, or why it is none: too large, neither UTF-8 nor UTF-16 with its byte order mark, or the pointer
 * that Git LFS leaves in its place. As kubectl reads a file, but what is not well-formed is refused, not replaced.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes.byteLength > maxBytes) {
    const size = (bytes.byteLength / 1024 / 1024).toFixed(1);
    return { ok: false, message: `the file is ${size} MiB; at most ${maxBytes / 1024 / 1024} MiB are read` };
  }
  const encoding = encodingOf(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.startsWith(pointerStart)) {
      return { ok: false, message: 'the file is kept in Git LFS, which is not read; commit its content' };
    }
    return { ok: true, text };
  } catch {
    return { ok: false, message: `the file is not ${encoding.toUpperCase()} text` };
  }
}

/** Windows PowerShell writes UTF-16, with a byte order mark. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
