import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as Args from '@oclif/core/args';
import { assertFolders } from '../../transfer/files/read-folder.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The argument of commands about files: the types whose files are meant. */
export const fileTypesArgument = {
  types: Args.string({
    multiple: true,
    description: 'The types: api::article.article, or article. [default: all of the project]',
  }),
};

/** Returns the types of the project that are named, or all. */
export function fileTypes(
  { types }: ContentModel,
  names: readonly string[] | undefined,
): readonly ContentType[] {
  const own = types.filter(({ origin }) => origin === 'project');
  return names === undefined || names.length === 0
    ? own
    : [...new Set(names.map((name) => resolveType(own, name)))];
}

/**
 * Returns the types that are named, or all that have a folder.
 *
 * @throws `cli/invalid-usage` if there is no folder at all, which is not the same as no documents;
 *   `content/rejected-file` if files lie in a folder of no type
 */
export async function typesWithFiles(
  model: ContentModel,
  names: readonly string[] | undefined,
  root: string,
): Promise<readonly ContentType[]> {
  if (!isFolder(root))
    throw createError('cli/invalid-usage', {
      reason: `There is no folder ${root}.`,
      remedy: 'Write it with cms content pull, or name another with --from.',
    });
  const types = fileTypes(model, names);
  if (names !== undefined && names.length > 0) return types;
  await assertFolders(root, model);
  return types.filter(({ singularName }) => isFolder(join(root, singularName)));
}
