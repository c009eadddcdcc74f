import { edits, remove, rename, renameComponent } from './support/edits.js';
import { dropped, moved } from './support/effects.js';
import { change, removal } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

export const RENAME_CHANGES: readonly SchemaChange[] = [
  change('an attribute', rename('article', { title: 'headline' }), [moved('article', 'title', 'headline')], {
    flags: { rename: ['article.title=headline'] },
  }),
  change(
    'two attributes',
    rename('article', { title: 'headline', rank: 'place' }),
    [moved('article', 'title', 'headline'), moved('article', 'rank', 'place')],
    {
      flags: { rename: ['article.title=headline', 'article.rank=place'] },
    },
  ),
  removal('an attribute by hand', rename('article', { title: 'headline' }), [dropped('article', 'title')]),
  change('a single component', rename('article', { hero: 'lead' }), [moved('article', 'hero', 'lead')], {
    flags: { rename: ['article.hero=lead'] },
  }),
  change('a zone', rename('article', { sections: 'parts' }), [moved('article', 'sections', 'parts')], {
    flags: { rename: ['article.sections=parts'] },
  }),
  change(
    'two attributes that swap names',
    rename('article', { title: 'summary', summary: 'title' }),
    [moved('article', 'title', 'summary'), moved('article', 'summary', 'title')],
    { flags: { rename: ['article.title=summary', 'article.summary=title'] } },
  ),
  change(
    'an attribute of a component',
    rename('parts.badge', { label: 'caption' }),
    [moved('parts.badge', 'label', 'caption')],
    { flags: { rename: ['parts.badge.label=caption'] } },
  ),
  change(
    'a component attribute of a component',
    rename('parts.every', { badges: 'medals' }),
    [moved('parts.every', 'badges', 'medals')],
    { flags: { rename: ['parts.every.badges=medals'] } },
  ),
  change(
    'two attributes of a component that swap names',
    rename('parts.every', { title: 'summary', summary: 'title' }),
    [moved('parts.every', 'title', 'summary'), moved('parts.every', 'summary', 'title')],
    {
      flags: { rename: ['parts.every.title=summary', 'parts.every.summary=title'] },
    },
  ),
  change(
    'an attribute of a component of a zone',
    rename('blocks.quote', { author: 'person' }),
    [moved('blocks.quote', 'author', 'person')],
    { flags: { rename: ['blocks.quote.author=person'] } },
  ),
  change(
    'one attribute of a component, while another is removed',
    edits(rename('parts.badge', { label: 'caption' }), remove('parts.badge', 'shape')),
    [moved('parts.badge', 'label', 'caption'), dropped('parts.badge', 'shape')],
    { flags: { rename: ['parts.badge.label=caption'] } },
  ),
  change('a nested component', renameComponent('parts.badge', 'parts.emblem'), [], {
    flags: { rename: ['parts.badge=parts.emblem'] },
  }),
];
