import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { generate } from '../project/generate.js';
import { diffGenerated } from '../project/generated-files.js';
import { openProject } from '../project/open/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { dryRunFlag } from '../cli/flags.js';
import { printUnifiedDiffs } from '../lib/files.js';
import type { Outcome } from '../cli/outcome.js';

export default class Generate extends BaseCommand<typeof Generate> {
  static override summary = 'Generate the Prisma schema, client and types from the content-types.';
  static override description =
    'Writes prisma/schema.prisma, the Prisma client and types/. Writes only files that change.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --check',
    '<%= config.bin %> <%= command.id %> --types-to ../shop/src/cms',
  ];
  static override flags = {
    check: Flags.boolean({
      description: 'Write nothing; exit with code 1 if a committed file would change.',
      exclusive: ['dry-run'],
    }),
    'types-to': Flags.string({
      description: 'Additional folder for the types, such as a folder of a front end.',
    }),
    ...dryRunFlag,
  };
  static override completion = { 'types-to': 'path' } as const;

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { check, 'types-to': folder } = this.flags;
    const options = { typesTo: folder === undefined ? null : resolve(this.terminal.cwd, folder) };
    if (check || this.flags['dry-run']) {
      const changes = await diffGenerated(project, options);
      if (check && changes.length > 0) this.info('These files are not up to date. Run: cms generate');
      return {
        json: { upToDate: changes.length === 0, files: changes.map(({ path }) => path) },
        text: printUnifiedDiffs(changes),
        exitCode: check && changes.length > 0 ? 1 : 0,
      };
    }
    const { changes, client } = await this.progress('Generating', () => generate(project, options));
    const files = changes.map(({ path }) => path);
    if (files.length === 0 && !client) this.info('Everything is up to date.');
    return { json: { files, client }, text: [...files, ...(client ? ['.galley/client'] : [])].join('\n') };
  }
}
