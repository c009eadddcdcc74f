import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { repeatable } from '../../cli/flags.js';
import { openContentProject } from '../../cli/project/command-target.js';
import { versionFlags } from '../../cli/content/find-params.js';
import { cellText, titleAttribute } from '../../cli/content/print-value.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentSearch extends BaseCommand<typeof ContentSearch> {
  static override description = 'Search documents for a text, in all content-types or in some.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ferry',
    '<%= config.bin %> <%= command.id %> ferry --type article --json',
  ];
  static override args = {
    text: Args.string({ required: true, description: 'Text to find. Case is ignored.' }),
  };
  static override flags = {
    type: Flags.string({
      ...repeatable,
      description: 'Content-type to search. May be repeated.',
    }),
    ...versionFlags,
    limit: Flags.integer({
      min: 1,
      default: 10,
      description: 'Maximum number of documents for each content-type.',
    }),
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const { model, ...project } = await openContentProject(this.projectRoot, this.flags, this.messages);
    const types =
      flags.type === undefined
        ? model.types.filter(({ origin }) => origin === 'project')
        : flags.type.map((name) => resolveType(model.types, name));
    const found = await readContent({ ...project, model }, async (store) => {
      const lists = [];
      for (const type of types) {
        const documents = await store.find(type.uid, {
          _q: this.args.text,
          limit: flags.limit,
          ...(flags.status === undefined ? {} : { status: flags.status }),
          ...(type.localized ? { locale: flags.locale ?? '*' } : {}),
        });
        lists.push(...documents.map((document) => ({ type, document })));
      }
      return lists;
    });
    if (found.length === 0) this.info('No documents contain this text.');
    const text = printTable(
      found,
      [
        { header: 'TYPE', value: ({ type }) => type.singularName },
        { header: 'ID', value: ({ document }) => document.documentId },
        {
          header: 'DOCUMENT',
          value: ({ type, document }) => cellText(document[titleAttribute(type) ?? 'documentId']),
        },
        { header: 'LOCALE', value: ({ document }) => cellText(document['locale']), optional: true },
      ],
      this.style,
    );
    return {
      json: {
        text: this.args.text,
        documents: found.map(({ type, document }) => ({ type: type.uid, document })),
      },
      text,
    };
  }
}
