/** The words content-types use for kinds of files. */
const WORDS: Readonly<Record<string, RegExp>> = {
  images: /^image\//,
  videos: /^video\//,
  audios: /^audio\//,
  files: /^(?!image\/|video\/|audio\/)/,
};

const matches = (pattern: string, mime: string): boolean => {
  if (Object.hasOwn(WORDS, pattern)) return WORDS[pattern]?.test(mime) === true;
  if (pattern === '*' || pattern === '*/*') return true;
  return pattern.endsWith('/*') ? mime.startsWith(pattern.slice(0, -1)) : mime === pattern;
};

/** Whether files of that type may be uploaded: on the one list, and not on the other. */
export function isAllowed(mime: string, { allowedTypes, deniedTypes }: { readonly allowedTypes: readonly string[]; readonly deniedTypes: readonly string[] }): boolean {
  const bare = mime.split(';', 1)[0] ?? mime;
  return allowedTypes.some((pattern) => matches(pattern, bare)) && !deniedTypes.some((pattern) => matches(pattern, bare));
}
