import * as Flags from '@oclif/core/flags';
import { generate } from '../app/generate.js';
import { diffGenerated } from '../app/generated-files.js';
import { openProject } from '../app/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { dryRunFlag } from '../cli/arguments/flags.js';
import { printUnifiedDiffs } from '../lib/unified-diff.js';
import type { Outcome } from '../cli/outcome.js';

export default class Generate extends BaseCommand<typeof Generate> {
  static override description =
    'Generate prisma/schema.prisma, types/ and the Prisma client from the content-types. Writes only files ' +
    'that change.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --check',
  ];
  static override flags = {
    check: Flags.boolean({
      description: 'Write nothing, and exit with 1 where a committed file would change.',
      exclusive: ['dry-run'],
    }),
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { check } = this.flags;
    if (check || this.flags['dry-run']) {
      const changes = await diffGenerated(project);
      if (check && changes.length > 0) this.info('These files are not up to date. Run: cms generate');
      return {
        json: { upToDate: changes.length === 0, files: changes.map(({ path }) => path) },
        text: printUnifiedDiffs(changes),
        exitCode: check && changes.length > 0 ? 1 : 0,
      };
    }
    const { changes, client } = await this.progress('Generating', () => generate(project));
    const files = changes.map(({ path }) => path);
    if (files.length === 0 && !client) this.info('Everything is up to date.');
    return { json: { files, client }, text: [...files, ...(client ? ['.galley/client'] : [])].join('\n') };
  }
}
