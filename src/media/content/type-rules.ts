import { MEDIA_KINDS, mediaKindOf } from '../../model/media-kind.js';
import { isTextual, normaliseContentType } from './mime-types.js';

/** `*` stands for any text: `image/*`, `application/vnd.oasis.*`. */
const matchesPattern = (pattern: string, mime: string): boolean => {
  if (MEDIA_KINDS.some((kind) => kind === pattern)) return mediaKindOf(mime) === pattern;
  const [start = '', ...others] = pattern.split('*');
  const end = others.pop();
  if (end === undefined) return mime === pattern;
  if (mime.length < start.length + end.length || !mime.startsWith(start) || !mime.endsWith(end)) return false;
  let place = start.length;
  for (const part of others) {
    const found = mime.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return place <= mime.length - end.length;
};

/** True if files of a type may be uploaded: the type is on the first list and not on the second. */
export function isAllowed(
  mime: string,
  {
    allowedTypes,
    deniedTypes,
  }: { readonly allowedTypes: readonly string[]; readonly deniedTypes: readonly string[] },
): boolean {
  const contentType = mime.replace(/;.*$/s, '');
  return (
    allowedTypes.some((pattern) => matchesPattern(pattern, contentType)) &&
    !deniedTypes.some((pattern) => matchesPattern(pattern, contentType))
  );
}

/** Types sent by clients that do not know the type, or want a download. */
const GENERIC_TYPES = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'video/mp2t',
]);
const AUDIO_OR_VIDEO = /^(?:audio|video)\/|^application\/(?:ogg|mp4|mxf|vnd\.ms-asf)$/;
const ZIP_BASED = /^application\/(?:zip|epub\+zip|vnd\.(?:openxmlformats|oasis)|java-archive|x-(?:7z|rar))/;
const LEGACY_OFFICE = /^application\/(?:msword|vnd\.ms-|x-cfb|csv)/;
/** Formats that are always recognisable by their content. */
const ALWAYS_DETECTABLE = /^(?:application\/(?:pdf|gzip)|font\/)/;

/**
 * True if a file with the type `actual` may be labelled `claimed`. Other names of the same format and generic
 * types are accepted. An image type is rejected for any other content.
 */
export function isPlausibleType(claimed: string, actual: string): boolean {
  const claimedType = normaliseContentType(claimed);
  const actualType = normaliseContentType(actual);
  if (claimedType === actualType || GENERIC_TYPES.has(claimedType)) return true;
  if (claimedType.startsWith('image/')) return false;
  if (/^(?:audio|video)\//.test(claimedType)) return AUDIO_OR_VIDEO.test(actualType);
  if (LEGACY_OFFICE.test(claimedType)) return LEGACY_OFFICE.test(actualType) || isTextual(actualType);
  if (isTextual(claimedType)) return isTextual(actualType) && actualType !== 'image/svg+xml';
  if (ZIP_BASED.test(claimedType)) return ZIP_BASED.test(actualType);
  if (ALWAYS_DETECTABLE.test(claimedType)) return false;
  return !/^(?:image|audio|video)\//.test(actualType) && actualType !== 'text/html';
}
