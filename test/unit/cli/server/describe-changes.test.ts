import { describe, expect, it } from 'vitest';
import type { ContentRename } from '../../../../src/migrations/content/content-decisions.js';
import { describeChanges } from '../../../../src/cli/server/describe-changes.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';
import { modelFrom } from '../../../support/models.js';
import type { ProjectLiteral } from '../../../support/models.js';

const changes = (
  before: ProjectLiteral,
  after: ProjectLiteral,
  renames: readonly ContentRename[] = [],
): readonly string[] =>
  describeChanges({ before: modelFrom(before), after: modelFrom(after), renames }, styleFor(false));

const string = { type: 'string' };
const recipe = (attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>, more = {}) => ({
  types: { recipe: { attributes: { title: string, ...attributes }, ...more } },
});

describe('the changes between two models', () => {
  it('are none where nothing has changed', () => {
    expect(changes(recipe({}), recipe({}))).toEqual([]);
  });

  it('are attributes that come, go, and change', () => {
    expect(changes(recipe({}), recipe({ source: string }))).toEqual(['+ recipe.source string']);
    expect(changes(recipe({ source: string }), recipe({}))).toEqual(['- recipe.source string']);
    expect(changes(recipe({ source: string }), recipe({ source: { type: 'text' } }))).toEqual([
      '~ recipe.source string → text',
    ]);
    const short = recipe({ source: { type: 'string', maxLength: 10 } });
    const long = recipe({ source: { type: 'string', required: true, maxLength: 20 } });
    expect(changes(short, long)).toEqual([
      '~ recipe.source string: required, maxLength 20 (was maxLength 10)',
    ]);
    expect(changes(short, recipe({ source: string }))).toEqual([
      '~ recipe.source string: no longer maxLength 10',
    ]);
    expect(changes(recipe({ source: string }), recipe({ source: { ...string, index: true } }))).toEqual([
      '~ recipe.source string: index',
    ]);
  });

  it('are whole types and components, with what they hold', () => {
    const note = { types: { ...recipe({}).types, note: { attributes: { a: string, b: { type: 'text' } } } } };
    expect(changes(recipe({}), note)).toEqual(['+ note (a string, b text)']);
    expect(changes(note, recipe({}))).toEqual(['- note']);
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, string]));
    expect(
      changes(recipe({}), { ...recipe({}), components: { 'shared.seo': { attributes: many } } }),
    ).toEqual(['+ shared.seo (a string, b string, c string, d string, 2 more)']);
  });

  it('are the options of a type', () => {
    expect(changes(recipe({}), recipe({}, { draftAndPublish: true, localized: true }))).toEqual([
      '~ recipe: drafts, localized (was no drafts, not localized)',
    ]);
    expect(changes(recipe({}), recipe({}, { pluralName: 'dishes' }))).toEqual([
      '~ recipe: /dishes (was /recipes)',
    ]);
  });

  it('distinguish a new name from a new attribute, type or component', () => {
    const attribute: ContentRename = {
      kind: 'attribute',
      type: 'api::recipe.recipe',
      from: 'source',
      to: 'origin',
    };
    expect(changes(recipe({ source: string }), recipe({ origin: string }), [attribute])).toEqual([
      '~ recipe.source → origin',
    ]);
    expect(changes(recipe({ origin: string }), recipe({}), [attribute])).toEqual(['- recipe.origin string']);
    expect(changes(recipe({}), recipe({ origin: string }), [attribute])).toEqual(['+ recipe.origin string']);
    const dish: ProjectLiteral = { types: { dish: { attributes: { title: string } } } };
    expect(
      changes(recipe({}), dish, [{ kind: 'type', from: 'api::recipe.recipe', to: 'api::dish.dish' }]),
    ).toEqual(['~ recipe → dish', '~ dish: /dishes (was /recipes)']);
    const meta = (uid: string, name: string): ProjectLiteral => ({
      ...recipe({}),
      components: { [uid]: { attributes: { [name]: string } } },
    });
    const renames: readonly ContentRename[] = [
      { kind: 'component-attribute', component: 'shared.seo', from: 'title', to: 'heading' },
      { kind: 'component', from: 'shared.seo', to: 'page.meta' },
    ];
    expect(changes(meta('shared.seo', 'title'), meta('page.meta', 'heading'), renames)).toEqual([
      '~ shared.seo → page.meta',
      '~ page.meta.title → heading',
    ]);
  });

  it('leave out what follows in built-in types', () => {
    const cook = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
    expect(changes(recipe({}), recipe({ cook }))).toEqual(['+ recipe.cook relation']);
    expect(changes(recipe({}), recipe({ cover: { type: 'media' } }))).toEqual(['+ recipe.cover media']);
  });

  it('are cut where there are more than a screen takes', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, string]));
    const lines = changes(recipe({}), recipe(many));
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('… and 8 more changes');
  });
});
