import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { mediaKindOf } from '../../model/model.js';
import { findUnused, readAllFiles } from '../store/file-usages.js';
import type { MediaFile, MediaStore } from '../store/media-store.js';
import type { Problem } from './check.js';

const problemOf = (
  { documentId }: MediaFile,
  problem: Pick<Problem, 'rule' | 'path' | 'message'>,
): Problem => ({
  type: FILE_UID,
  documentId,
  locale: null,
  status: null,
  ...problem,
});

const lacksAltText = ({ mime, alternativeText }: MediaFile): boolean =>
  mediaKindOf(mime) === 'images' && (typeof alternativeText !== 'string' || alternativeText.trim() === '');

/** Finds the uploaded images without an alternative text, in batches. */
export async function* checkAltTexts(media: MediaStore): AsyncGenerator<readonly Problem[]> {
  for await (const files of readAllFiles(media))
    yield files.filter(lacksAltText).map((file) =>
      problemOf(file, {
        rule: 'missing-alt-text',
        path: 'alternativeText',
        message: `The image ${file.name} has no alternative text.`,
      }),
    );
}

/** Finds the uploaded files to which no version of a document refers. */
export async function checkUnusedFiles(media: MediaStore): Promise<readonly Problem[]> {
  return (await findUnused(media, new Date())).map((file) =>
    problemOf(file, { rule: 'unused-file', path: '', message: `No document uses the file ${file.name}.` }),
  );
}
