import * as Flags from '@oclif/core/flags';
import { generate } from '../app/generate.js';
import { diffGenerated } from '../app/generated-files.js';
import { openProject } from '../app/open-project.js';
import { BaseCommand } from './base.js';
import { dryRunFlag } from './support/flags.js';
import { printGenerated } from './support/generated.js';
import type { Outcome } from './support/outcome.js';

export default class Generate extends BaseCommand<typeof Generate> {
  static override description = 'Content-type files → prisma/schema.prisma, types/ and the Prisma client. Writes only what is not right already.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --check'];
  static override flags = {
    check: Flags.boolean({ description: 'Write nothing; exit with 1 where a committed file would change.', exclusive: ['dry-run'] }),
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openProject(this.projectRoot);
    const { check } = this.flags;
    if (check || this.flags['dry-run']) {
      const changes = await diffGenerated(project);
      if (check && changes.length > 0) this.info('These files are not up to date. Run: cms generate');
      return { json: { upToDate: changes.length === 0, files: changes.map(({ path }) => path) }, text: printGenerated(changes), exitCode: check && changes.length > 0 ? 1 : 0 };
    }
    const { changes, client } = await this.progress('Generating', () => generate(project));
    const files = changes.map(({ path }) => path);
    if (files.length === 0 && !client) this.info('Everything is up to date.');
    return { json: { files, client }, text: [...files, ...(client ? ['.galley/client'] : [])].join('\n') };
  }
}
