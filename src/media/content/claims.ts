import { isTextual, plainType } from './known-types.js';

/** What senders say who do not know, or want a download. */
const GENERIC = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-download', 'application/force-download', 'video/mp2t']);
const SOUND_OR_FILM = /^(?:audio|video)\/|^application\/(?:ogg|mp4|mxf|vnd\.ms-asf)$/;
const ZIPPED = /^application\/(?:zip|epub\+zip|vnd\.(?:openxmlformats|oasis)|java-archive|x-(?:7z|rar))/;
const OLD_OFFICE = /^application\/(?:msword|vnd\.ms-|x-cfb|csv)/;
/** Their content always tells. */
const PROVABLE = /^(?:application\/(?:pdf|gzip)|font\/)/;

/**
 * Whether a file may honestly be called `claimed` when its content is `actual`. A different name for the same thing is no lie,
 * nor is saying nothing; an image that is no image, or another kind of image, is.
 */
export function isHonest(claimed: string, actual: string): boolean {
  const said = plainType(claimed);
  const is = plainType(actual);
  if (said === is || GENERIC.has(said)) return true;
  if (said.startsWith('image/')) return false;
  if (/^(?:audio|video)\//.test(said)) return SOUND_OR_FILM.test(is);
  if (OLD_OFFICE.test(said)) return OLD_OFFICE.test(is) || isTextual(is);
  if (isTextual(said)) return isTextual(is) && is !== 'image/svg+xml';
  if (ZIPPED.test(said)) return ZIPPED.test(is);
  if (PROVABLE.test(said)) return false;
  return !/^(?:image|audio|video)\//.test(is) && is !== 'text/html';
}
