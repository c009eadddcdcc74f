import { MEDIA_KINDS, mediaKindOf } from '../../model/media-kind.js';

const matches = (pattern: string, mime: string): boolean => {
  if (MEDIA_KINDS.some((kind) => kind === pattern)) return mediaKindOf(mime) === pattern;
  if (pattern === '*' || pattern === '*/*') return true;
  return pattern.endsWith('/*') ? mime.startsWith(pattern.slice(0, -1)) : mime === pattern;
};

/** Whether files of that type may be uploaded: on the one list, and not on the other. */
export function isAllowed(mime: string, { allowedTypes, deniedTypes }: { readonly allowedTypes: readonly string[]; readonly deniedTypes: readonly string[] }): boolean {
  const bare = mime.split(';', 1)[0] ?? mime;
  return allowedTypes.some((pattern) => matches(pattern, bare)) && !deniedTypes.some((pattern) => matches(pattern, bare));
}
