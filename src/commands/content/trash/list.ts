import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { withAdministration } from '../../../cli/administration.js';
import { BaseCommand } from '../../../cli/base-command.js';
import type { Outcome } from '../../../cli/outcome.js';
import { openContentProject, remoteFlag } from '../../../cli/project/command-target.js';
import { printTable, printTime } from '../../../cli/terminal/text-layout.js';
import { resolveType } from '../../../project/scaffold/resolve-name.js';

export default class ContentTrashList extends BaseCommand<typeof ContentTrashList> {
  static override summary = 'List deleted documents, the latest first.';
  static override description = 'Deleted locales and files have entries, too. trash.days limits their age.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --limit 5 --json',
  ];
  static override args = {
    type: Args.string({ description: 'Content-type to list, such as article or api::article.article.' }),
  };
  static override flags = {
    limit: Flags.integer({ min: 1, max: 10_000, default: 100, description: 'Maximum number of entries.' }),
    before: Flags.integer({ min: 1, description: 'List only entries with a smaller id.' }),
    ...remoteFlag,
  };
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const { limit, before } = flags;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = args.type === undefined ? {} : { type: resolveType(project.model.types, args.type).uid };
    const input = { ...type, limit, ...(before === undefined ? {} : { before }) };
    const entries = await withAdministration(project, this.messages.warn, ({ trash }) => trash.list(input));
    if (entries.length === 0) this.info('The trash is empty.');
    const text = printTable(
      entries,
      [
        { header: 'ENTRY', value: ({ id }) => id, align: 'right' },
        { header: 'DELETED (UTC)', value: ({ deletedAt }) => printTime(deletedAt) },
        { header: 'TYPE', value: (entry) => entry.type },
        { header: 'ID', value: ({ documentId }) => documentId },
        { header: 'LOCALE', value: ({ locale }) => locale ?? '' },
        { header: 'LABEL', value: ({ label }) => label ?? '', optional: true },
      ],
      this.style,
    );
    return { json: { entries }, text: entries.length === 0 ? '' : text };
  }
}
