/** The words content-types use for kinds of files. */
export const MEDIA_KINDS = ['images', 'videos', 'files', 'audios'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const BY_TOP_LEVEL: Readonly<Record<string, MediaKind>> = { image: 'images', video: 'videos', audio: 'audios' };

/**
 * The kind a file of that MIME type is; `files` is what is no other.
 *
 * @example mediaKindOf('image/png') // 'images'
 */
export function mediaKindOf(mime: string): MediaKind {
  const [top = ''] = mime.split('/', 1);
  return (Object.hasOwn(BY_TOP_LEVEL, top) ? BY_TOP_LEVEL[top] : undefined) ?? 'files';
}
