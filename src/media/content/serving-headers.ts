import { normaliseContentType, typeOfExtension } from './mime-types.js';

/** The headers under which a stored file is served. */
export interface ServingHeaders {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  readonly cacheControl: string;
  /** Null: the server's own policy applies. */
  readonly contentSecurityPolicy: string | null;
}

/** The names of stored files are never reused. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Keeps uploaded files from running, loading or submitting anything. */
const SANDBOX =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Types that browsers display and cannot run. */
const INLINE_TYPES = /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?:plain|vtt)$|application\/pdf$)/;

/** Types that browsers would run. They are served as plain text. */
const ACTIVE_CONTENT = /^(?:text\/(?:html|css|javascript)|application\/(?:xml|.+\+xml))$/;

/**
 * Returns the headers of a stored file by its extension, which was chosen by the content when the file was
 * stored. SVG keeps its type, because pages could not show it as an image otherwise. Opened by itself it is
 * downloaded, and its policy prevents scripts from running.
 */
export function servingHeaders(key: string): ServingHeaders {
  const dot = key.lastIndexOf('.');
  const type = dot < 0 ? null : typeOfExtension(key.slice(dot));
  const contentType = type === null ? 'application/octet-stream' : normaliseContentType(type);
  const disposition = INLINE_TYPES.test(contentType) ? 'inline' : 'attachment';
  // The sandbox would keep browsers from opening their own viewer.
  const contentSecurityPolicy = contentType === 'application/pdf' ? null : SANDBOX;
  const isText = contentType.startsWith('text/') || ACTIVE_CONTENT.test(contentType);
  return {
    type: isText
      ? `${ACTIVE_CONTENT.test(contentType) ? 'text/plain' : contentType}; charset=utf-8`
      : contentType,
    disposition,
    cacheControl: CACHE_CONTROL,
    contentSecurityPolicy,
  };
}
