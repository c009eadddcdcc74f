/** The content types of extensions: of recognizable formats, of kinds of text, and of common documents. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  apng: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  heic: 'image/heif',
  heif: 'image/heif',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/matroska',
  avi: 'video/vnd.avi',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/x-m4a',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg; codecs=opus',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  '7z': 'application/x-7z-compressed',
  rar: 'application/x-rar-compressed',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  rtf: 'application/rtf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  txt: 'text/plain',
  log: 'text/plain',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  ics: 'text/calendar',
  json: 'application/json',
  geojson: 'application/geo+json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  gpx: 'application/gpx+xml',
  kml: 'application/vnd.google-earth.kml+xml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
};

const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/apng': 'image/png',
  'image/heic': 'image/heif',
  'image/heic-sequence': 'image/heif',
  'image/heif-sequence': 'image/heif',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'image/x-ms-bmp': 'image/bmp',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
  'text/xml': 'application/xml',
  'text/json': 'application/json',
};

/**
 * Returns a content type in the form in which types are compared: without parameters, and with its usual
 * name.
 */
export function normalizeContentType(type: string): string {
  const contentType = type.replace(/;.*$/s, '').trim().toLowerCase();
  return ALIASES[contentType] ?? contentType;
}

/** Returns the content type of an extension, with or without its dot; null if it is unknown. */
export function typeOfExtension(extension: string): string | null {
  const key = extension.replace(/^\./, '').toLowerCase();
  return Object.hasOwn(TYPES_BY_EXTENSION, key) ? (TYPES_BY_EXTENSION[key] ?? null) : null;
}

const TEXTUAL_TYPES = new Set([
  'application/json',
  'application/geo+json',
  'application/yaml',
  'application/x-subrip',
  'application/xml',
  'application/rtf',
]);

/** True if files of a type consist of text. */
export function isTextual(type: string): boolean {
  return (
    type.startsWith('text/') || type.endsWith('+xml') || type.endsWith('+json') || TEXTUAL_TYPES.has(type)
  );
}

/** The headers under which a stored file is served. */
export interface ServingHeaders {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  readonly cacheControl: string;
  /** Null: the policy of all other responses applies. */
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
  const contentType = type === null ? 'application/octet-stream' : normalizeContentType(type);
  const disposition = INLINE_TYPES.test(contentType) ? 'inline' : 'attachment';
  // The sandbox would keep browsers from opening their viewer.
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
