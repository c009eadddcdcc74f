import * as Flags from '@oclif/core/flags';
import { stringify } from 'yaml';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject } from '../../cli/project/command-target.js';
import { selectionFlags, selectionParams, versionFlags } from '../../cli/content/find-params.js';
import { findDocumentState, printState } from '../../cli/content/print-documents.js';
import { documentArguments, resolveDocument, unknownDocument } from '../../cli/content/find-document.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireLocale } from '../../documents/write/write-params.js';
import { typeOf } from '../../model/lookup.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentShow extends BaseCommand<typeof ContentShow> {
  static override summary = 'Show a document with its relations, media and components.';
  static override description = 'Also shows its status and its schedule.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article a-starter-that-keeps --status published --format json',
  ];
  static override args = documentArguments;
  static override flags = {
    ...versionFlags,
    ...selectionFlags,
    format: Flags.option({
      options: ['yaml', 'json'] as const,
      default: 'yaml' as const,
      description: 'Output format.',
    })(),
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = requireLocale(resolveType(project.model.types, args.type), flags.locale);
    return readContent(project, async (store) => {
      const documentId = await resolveDocument(store, type, args.document);
      const document = await store.findOne(type.uid, documentId, {
        ...selectionParams(store.model, typeOf(store.model, type.uid), {
          ...flags,
          populate: flags.populate ?? ['*'],
        }),
        ...(flags.status === undefined ? {} : { status: flags.status }),
        ...(flags.locale === undefined ? {} : { locale: flags.locale }),
      });
      if (document === null)
        throw unknownDocument(
          type,
          documentId,
          `${flags.status === 'published' ? ' that is published' : ''}${
            flags.locale === undefined ? '' : ` in ${flags.locale}`
          }`,
        );
      const state = await findDocumentState(store, type, { documentId, locale: flags.locale });
      const shown = { ...printState(state), ...document };
      const text = flags.format === 'json' ? JSON.stringify(shown, null, 2) : stringify(shown);
      return { json: { type: type.uid, document, ...state }, text };
    });
  }
}
