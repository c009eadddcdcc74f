import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { globalFlags } from '../src/cli/flags.js';
import { CATALOGUE } from '../src/errors/catalogue.js';
import { printCatalogue } from '../src/errors/print-catalogue.js';
import { printStrapiPage } from '../src/strapi/report/print-options.js';
import { loadCommands, printCommandReference } from './command-reference.js';

interface Page {
  /** Relative to the package: `docs/errors.md`. */
  readonly path: string;
  readonly text: string;
}

interface PackageJson {
  readonly oclif: { readonly topics: Readonly<Record<string, { readonly description: string }>> };
}

/** Prints the pages of docs/ that are generated, from the sources of the package in `root`. */
export async function printPages(root: string): Promise<readonly Page[]> {
  const { oclif } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as PackageJson;
  const commands = await loadCommands(join(root, 'src', 'commands'));
  return [
    { path: 'docs/errors.md', text: printCatalogue(CATALOGUE) },
    {
      path: 'docs/strapi.md',
      text: printStrapiPage(await readFile(join(root, 'docs', 'strapi.md'), 'utf8')),
    },
    { path: 'docs/command-line.md', text: printCommandReference(commands, oclif.topics, globalFlags) },
  ];
}
