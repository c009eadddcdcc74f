import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { exportContent } from '../app/export-content.js';
import { openProject } from '../app/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { selectParts } from '../cli/import/import-flags.js';
import type { Outcome } from '../cli/outcome.js';
import { readSecret, secretFlags } from '../cli/prompts/secret.js';
import { IMPORT_PARTS } from '../transfer/import/import-options.js';

const parts = {
  multiple: true,
  multipleNonGreedy: true,
  delimiter: ',',
  options: [...IMPORT_PARTS],
} as const;

export default class Export extends BaseCommand<typeof Export> {
  static override summary = 'Export the content for Strapi.';
  static override description =
    'Writes an archive that strapi import takes in a project with the same content-types. API tokens and ' +
    'permissions of attributes are not part of it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --format strapi',
    '<%= config.bin %> <%= command.id %> --format strapi --to site.tar --no-compress --exclude files',
  ];
  static override flags = {
    format: Flags.string({ required: true, options: ['strapi'], description: 'The form of the archive.' }),
    to: Flags.string({
      description: 'The file to write. [default: export_<time>.tar, .gz if compressed, .enc if encrypted]',
      helpValue: '<file>',
    }),
    ...secretFlags('key', 'Encrypt the archive with this key.'),
    compress: Flags.boolean({ allowNo: true, default: true, description: 'Compress the archive.' }),
    only: Flags.string({
      ...parts,
      description: 'Export only this: content, files (the media library) or config (settings).',
      exclusive: ['exclude'],
    }),
    exclude: Flags.string({ ...parts, description: 'Export all but this.' }),
  };
  static override completion = { to: 'path' } as const;

  async run(): Promise<Outcome> {
    const { flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot);
    const isEncrypted = flags.key !== undefined || flags['key-file'] !== undefined;
    const key = isEncrypted
      ? await readSecret(terminal, prompter, { name: 'key', message: 'Key of the export', flags })
      : null;
    const ending = `.tar${flags.compress ? '.gz' : ''}${isEncrypted ? '.enc' : ''}`;
    const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const path = resolve(terminal.cwd, flags.to ?? `export_${time}${ending}`);
    const options = { parts: selectParts(flags), isCompressed: flags.compress, key };
    const written = await this.progress('Exporting', () => exportContent(project, path, options));
    return { json: { path, ...written }, text: path };
  }
}
