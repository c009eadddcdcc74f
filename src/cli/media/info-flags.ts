import * as Flags from '@oclif/core/flags';
import type { FileInfo } from '../../media/media.js';
import { parseFileInfo } from '../../media/file-info.js';

/** The flags that say what is known of a file. */
export const infoFlags = {
  alt: Flags.string({ description: 'The alternative text, for those who do not see the image.' }),
  caption: Flags.string({ description: 'The caption.' }),
  'focal-point': Flags.string({
    description: 'The point that crops keep in view: percentages from the left and top, as 50,20.',
  }),
  name: Flags.string({ description: 'What the file is called. [default: the name of the file]' }),
};

interface InfoFlagValues {
  readonly alt?: string | undefined;
  readonly caption?: string | undefined;
  readonly 'focal-point'?: string | undefined;
  readonly name?: string | undefined;
}

/** Parses a focal point. Empty text removes it. `parseFileInfo` rejects a value that is not a point. */
const parsePoint = (text: string): unknown => {
  if (text === '') return null;
  const [x, y, ...rest] = text
    .split(',')
    .map((part) => (/^\s*\d+(?:\.\d+)?\s*$/.test(part) ? Number(part) : null));
  return rest.length > 0 ? {} : { x, y };
};

/** Returns what flags say of a file. @throws `upload/invalid-file-info` */
export function fileInfo({ alt, caption, name, 'focal-point': focalPoint }: InfoFlagValues): FileInfo {
  const textOf = (text: string): string | null => (text === '' ? null : text);
  return parseFileInfo({
    ...(alt === undefined ? {} : { alternativeText: textOf(alt) }),
    ...(caption === undefined ? {} : { caption: textOf(caption) }),
    ...(focalPoint === undefined ? {} : { focalPoint: parsePoint(focalPoint) }),
    ...(name === undefined ? {} : { name }),
  });
}
