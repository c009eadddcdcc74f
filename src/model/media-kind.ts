/** The kinds of files that `allowedTypes` in a schema file can list. */
export const MEDIA_KINDS = ['images', 'videos', 'files', 'audios'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const KIND_BY_TOP_LEVEL_TYPE: Readonly<Record<string, MediaKind>> = {
  image: 'images',
  video: 'videos',
  audio: 'audios',
};

/**
 * Returns the kind of a file by its MIME type; `files` for all types that are not images, videos or audio.
 *
 * @example
 *   mediaKindOf('image/png'); // 'images'
 */
export function mediaKindOf(mime: string): MediaKind {
  const [topLevelType = ''] = mime.split('/', 1);
  return (
    (Object.hasOwn(KIND_BY_TOP_LEVEL_TYPE, topLevelType)
      ? KIND_BY_TOP_LEVEL_TYPE[topLevelType]
      : undefined) ?? 'files'
  );
}
