import { plainType, typeOfExtension } from './known-types.js';

/** The headers under which a stored file is served. */
export interface ServedAs {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  readonly cacheControl: string;
  /** Null: the server's own policy does. */
  readonly policy: string | null;
}

/** Names of stored files are never used twice. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Nothing in an uploaded file runs, loads or submits anything, whoever opens it. */
const SANDBOX = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** What browsers show and cannot run. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?:plain|vtt)$|application\/pdf$)/;

/** What browsers would run; shown as the text it is, never as what it would do. */
const ACTIVE = /^(?:text\/(?:html|css|javascript)|application\/(?:xml|.+\+xml))$/;

/**
 * How a stored file is served, from its extension, which storing has made fit its content. SVG keeps its type, without which no page could show it
 * as an image; opened by itself it is downloaded, and what downloads cannot stop, the policy does.
 */
export function servedAs(key: string): ServedAs {
  const dot = key.lastIndexOf('.');
  const type = dot < 0 ? null : typeOfExtension(key.slice(dot));
  const bare = type === null ? 'application/octet-stream' : plainType(type);
  const disposition = SHOWN.test(bare) ? 'inline' : 'attachment';
  // The sandbox would keep browsers from opening their own viewer.
  const policy = bare === 'application/pdf' ? null : SANDBOX;
  const isText = bare.startsWith('text/') || ACTIVE.test(bare);
  return { type: isText ? `${ACTIVE.test(bare) ? 'text/plain' : bare}; charset=utf-8` : bare, disposition, cacheControl: CACHE_CONTROL, policy };
}
