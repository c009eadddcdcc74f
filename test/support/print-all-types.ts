import { printProjectTypes } from '../../src/project/generated-files.js';
import type { ContentModel } from '../../src/model/model.js';
import type { GeneratedFile } from '../../src/generate/typegen/print-types.js';

/** The files of a project's types/ folder, as the command writes them. */
export const printAllTypes = (model: ContentModel): Promise<readonly GeneratedFile[]> =>
  printProjectTypes({ model });
