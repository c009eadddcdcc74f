import type { Transaction } from '../../database/database.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { compileLinkViews } from './link-view.js';
import type { LinkView } from './link-view.js';

/** The links, seen from their owners, that can point at documents of a type. */
const incomingLinks = (model: ContentModel, target: ContentType): readonly LinkView[] =>
  model.types.flatMap((type) => compileLinkViews(model, type)).filter(({ attribute, ends }) => attribute.side === 'owner' && ends.some(({ type }) => type.uid === target.uid));

const forget = async (tx: Transaction, view: LinkView, { uid }: ContentType, documentId: string, locale: string): Promise<void> => {
  const end = view.ends.find(({ type }) => type.uid === uid);
  if (end === undefined || view.locales === 'none') return;
  const { link } = view;
  if (link.kind === 'column') {
    const data = { [link.field]: null, ...(link.position === null ? {} : { [link.position.field]: null }) };
    await tx.model(view.owner.storage.version.model).updateMany({ where: { [link.field]: documentId, locale }, data });
    return;
  }
  const here = view.locales === 'link' ? { targetLocale: locale } : { source: { locale } };
  await tx.model(link.model).deleteMany({ where: { [end.field]: documentId, ...here } });
};

/** Takes away the links to one locale of a document that goes while others stay, so that they do not come back when it is written anew. */
export async function forgetLocale(tx: Transaction, model: ContentModel, type: ContentType, documentId: string, locale: string): Promise<void> {
  for (const view of incomingLinks(model, type)) await forget(tx, view, type, documentId, locale);
}
