import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { commaSeparated, dryRunFlag } from '../../cli/flags.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { documentArguments, resolveDocument, unknownDocument } from '../../cli/content/find-document.js';
import { dataFlags, readData } from '../../cli/content/save-document.js';
import { openContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireLocale } from '../../documents/write/write-params.js';
import { resolveAttribute, resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentTranslate extends BaseCommand<typeof ContentTranslate> {
  static override summary = 'Copy a document to a new locale, as a draft to translate.';
  static override description =
    'Copies values, relations and components. Omits private attributes. Generates slugs that the schema ' +
    'generates. Rejected if the document has that locale.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --to de',
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --to de --fields title ' +
      "--set 'title=Brot'",
  ];
  static override args = documentArguments;
  static override flags = {
    to: Flags.string({ required: true, description: 'Locale to write.', helpValue: '<locale>' }),
    from: Flags.string({
      description: 'Locale to copy. [default: the default locale]',
      helpValue: '<locale>',
    }),
    fields: Flags.string({
      ...commaSeparated,
      description: 'Attributes to copy. [default: all that differ between locales]',
    }),
    set: dataFlags.set,
    publish: Flags.boolean({ description: 'Publish the new locale after validating it.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { type: 'type', to: 'locale', from: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal } = this;
    const { to: locale, from, set, publish, 'dry-run': isDryRun } = flags;
    const project = await openContentProject(this.projectRoot, { ...flags, locale }, this.messages);
    const type = requireLocale(resolveType(project.model.types, args.type), locale);
    const known = { uid: type.uid, attributes: Object.values(type.attributes) };
    const attributes = flags.fields?.map((name) => resolveAttribute(known, name));
    this.info(await describeTarget(project));
    const { warn } = this.messages;
    return openContent(project, { warn, isDryRun }, async (store) => {
      const documentId = await resolveDocument(store, type, args.document);
      const data = await readData(store, type, { set }, terminal);
      const status = publish ? ('published' as const) : ('draft' as const);
      const translation = { documentId, locale, from, attributes, data, status };
      const translated = await store.translate(type.uid, translation, { isDryRun });
      if (translated === null)
        throw unknownDocument(type, documentId, from === undefined ? '' : ` in ${from}`);
      for (const { attribute, reason } of translated.omitted) this.warn(`${attribute}: ${reason}.`);
      const done = isDryRun ? 'Would copy' : 'Copied';
      const next =
        publish || isDryRun
          ? ''
          : ` Edit it: cms content edit ${type.singularName} ${documentId} --locale ${locale}`;
      return {
        json: {
          type: type.uid,
          documentId,
          locale,
          omitted: translated.omitted,
          ...(isDryRun ? { dryRun: true } : { document: translated.document }),
        },
        text: `${done} ${type.uid} ${documentId} to ${locale}.${next}`,
      };
    });
  }
}
