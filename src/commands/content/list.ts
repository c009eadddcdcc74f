import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { commaSeparated } from '../../cli/flags.js';
import { openContentProject } from '../../cli/project/command-target.js';
import { openList } from '../../cli/content/find-document.js';
import { findParams, filterFlags, selectionFlags, selectionParams } from '../../cli/content/find-params.js';
import {
  DOCUMENT_FORMATS,
  findPublications,
  findSchedules,
  printDocuments,
} from '../../cli/content/print-documents.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireLocale } from '../../documents/write/write-params.js';
import { typeOf } from '../../model/lookup.js';
import { showsField } from '../../query/schema-fields.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentList extends BaseCommand<typeof ContentList> {
  static override description = 'List documents of a content-type.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article',
    "<%= config.bin %> <%= command.id %> article --filter 'title:containsi=ferry' --sort title --limit 10",
    '<%= config.bin %> <%= command.id %> article --status published --format ids',
    '<%= config.bin %> <%= command.id %> article --missing-locale de',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
  };
  static override flags = {
    ...filterFlags,
    ...selectionFlags,
    sort: Flags.string({
      ...commaSeparated,
      description: 'Sort order: title, or updatedAt:desc.',
    }),
    'missing-locale': Flags.string({
      description: 'Only documents that lack this locale.',
      helpValue: '<locale>',
    }),
    limit: Flags.integer({
      min: 0,
      description: 'Maximum number of documents to list; 0 lists all. [default: 25]',
    }),
    format: Flags.option({
      options: [...DOCUMENT_FORMATS, 'count'] as const,
      default: 'table' as const,
      description: 'Output format.',
    })(),
  };
  static override completion = { type: 'type', locale: 'locale', 'missing-locale': 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const named = resolveType(project.model.types, this.args.type);
    const type = flags.locale === '*' ? named : requireLocale(named, flags.locale);
    const sort = flags.sort === undefined ? {} : { sort: flags.sort };
    const params = { ...findParams(flags, { model: project.model, type }), ...sort };
    return readContent(project, async (store) => {
      const { total, read } = await openList(store, type, params, flags['missing-locale']);
      if (flags.format === 'count') return { json: { type: type.uid, total }, text: String(total) };
      const isTable = flags.format === 'table' && !flags.json;
      const visibleType = typeOf(store.model, type.uid);
      const shown = isTable ? ['locale', 'updatedAt'].filter((name) => showsField(visibleType, name)) : [];
      const fields = flags.fields && [...flags.fields, ...shown];
      const selection = selectionParams(store.model, visibleType, { ...flags, fields });
      const documents = await read(selection, flags.limit ?? 25);
      if (documents.length < total)
        this.info(`${documents.length} of ${total}. --limit 0 lists all, --filter selects.`);
      if (total === 0) this.info('No documents found.');
      const publications = isTable ? await findPublications(store, type, documents) : new Map();
      const schedules = await findSchedules(store, type, documents);
      const list = { type, documents, publications, schedules, fields: flags.fields ?? [] };
      return {
        json: {
          type: type.uid,
          total,
          documents,
          ...(schedules.size === 0 ? {} : { scheduled: [...schedules.values()] }),
        },
        text: await printDocuments(list, flags.format, this.style),
      };
    });
  }
}
