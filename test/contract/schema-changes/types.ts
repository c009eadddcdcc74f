import { addComponent, edits, editType, option, removeComponent, renameType } from './support/edits.js';
import { change } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

export const TYPE_CHANGES: readonly SchemaChange[] = [
  change('a type is renamed', renameType('note', 'memo'), [], {
    renameFlags: ['notes=memos'],
    content: ({ note = {}, ...content }) => ({ ...content, memo: note }),
  }),
  change(
    'a single type becomes a collection type',
    editType('home', (type) => ({ ...type, kind: 'collectionType' })),
  ),
  change('a component that nothing uses is removed', removeComponent('parts.medal')),
  change('a new component', addComponent('parts.fresh', { label: { type: 'string' } })),
  change(
    'a zone takes a new component',
    edits(
      addComponent('blocks.fresh', { label: { type: 'string' } }),
      option('page', 'sections', { components: ['blocks.fresh', 'blocks.quote'] }),
    ),
  ),
];
