import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { commaSeparated } from '../../cli/flags.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { filterFlags, findParams, selectionFlags } from '../../cli/content/find-params.js';
import { DOCUMENT_FORMATS, printDocuments } from '../../cli/content/print-documents.js';
import { FILE_COLUMNS } from '../../cli/media.js';
import { readMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';

const DEFAULT_LIMIT = 25;

export default class MediaList extends BaseCommand<typeof MediaList> {
  static override description = 'List uploaded files.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --filter 'mime:startsWith=image/' --sort size:desc --limit 10",
    "<%= config.bin %> <%= command.id %> --filter 'alternativeText:null' --format ids",
  ];
  static override flags = {
    filter: filterFlags.filter,
    query: filterFlags.query,
    fields: selectionFlags.fields,
    sort: Flags.string({
      ...commaSeparated,
      description: 'Sort order: name, or size:desc. [default: newest first]',
    }),
    limit: Flags.integer({
      min: 0,
      description: 'Maximum number of files to list; 0 lists all. [default: 25]',
    }),
    format: Flags.option({
      options: [...DOCUMENT_FORMATS, 'count'] as const,
      default: 'table' as const,
      description: 'Output format.',
    })(),
    ...remoteFlag,
  };

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const { model } = project;
    const type = typeOf(model, FILE_UID);
    const params = findParams({ filter: flags.filter, query: flags.query }, { model, type });
    return readMedia(project, async ({ media }) => {
      const total = await media.count(params);
      if (flags.format === 'count') return { json: { total }, text: String(total) };
      const limit = flags.limit ?? DEFAULT_LIMIT;
      const files = await media.find({
        sort: ['id:desc'],
        ...params,
        ...(flags.fields === undefined ? {} : { fields: flags.fields }),
        ...(flags.sort === undefined ? {} : { sort: flags.sort }),
        ...(limit === 0 ? {} : { limit }),
      });
      if (files.length < total)
        this.info(`${files.length} of ${total}. --limit 0 lists all, --filter selects.`);
      if (total === 0) this.info('No files found.');
      const list = {
        type,
        documents: files,
        publications: new Map(),
        schedules: new Map(),
        fields: flags.fields ?? [],
      };
      const isShort = flags.format === 'table' && flags.fields === undefined;
      return {
        json: { total, files },
        text: isShort
          ? printTable(files, FILE_COLUMNS, this.style)
          : await printDocuments(list, flags.format, this.style),
      };
    });
  }
}
