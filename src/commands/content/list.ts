import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { commaSeparated } from '../../cli/flags.js';
import { openContentProject } from '../../cli/project/command-target.js';
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
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const named = resolveType(project.model.types, this.args.type);
    const type = flags.locale === '*' ? named : requireLocale(named, flags.locale);
    const params = findParams(flags, { model: project.model, type });
    return readContent(project, async (store) => {
      const total = await store.count(type.uid, params);
      if (flags.format === 'count') return { json: { type: type.uid, total }, text: String(total) };
      const limit = flags.limit ?? 25;
      const sort = flags.sort === undefined ? {} : { sort: flags.sort };
      const isTable = flags.format === 'table' && !flags.json;
      const visibleType = typeOf(store.model, type.uid);
      const shown = isTable ? ['locale', 'updatedAt'].filter((name) => showsField(visibleType, name)) : [];
      const documents = await store.find(type.uid, {
        ...params,
        ...selectionParams(store.model, visibleType, {
          ...flags,
          fields: flags.fields && [...flags.fields, ...shown],
        }),
        ...sort,
        ...(limit === 0 ? {} : { limit }),
      });
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
        text: printDocuments(list, flags.format, this.style),
      };
    });
  }
}
