import type { ExampleState } from './example-states.js';

const ADD = 'cms release add spring article a-starter-that-keeps';

const after = (...lines: readonly string[]): ExampleState => ({
  prepare: async ({ cms }) => {
    for (const line of lines) await cms(line);
  },
});

const WITH_RELEASE = after('cms release create spring');
const WITH_CHANGE = after('cms release create spring', ADD);
const WITH_PUBLISHED = after('cms release create spring', ADD, 'cms release publish spring');

/** The states of the examples of commands about releases. */
export const RELEASE_STATES: Readonly<Record<string, ExampleState>> = {
  'cms content pull --release spring': WITH_CHANGE,
  'cms release list': WITH_CHANGE,
  'cms release show spring': WITH_CHANGE,
  [ADD]: WITH_RELEASE,
  [`${ADD} --unpublish`]: WITH_RELEASE,
  'cms release add spring article --changed': WITH_RELEASE,
  'cms release remove spring article a-starter-that-keeps': WITH_CHANGE,
  'cms release check spring': WITH_CHANGE,
  'cms release diff spring': WITH_CHANGE,
  'cms release publish spring': WITH_CHANGE,
  'cms release publish spring --at 2d': WITH_CHANGE,
  'cms release revert spring': WITH_PUBLISHED,
  'cms release revert spring --dry-run': WITH_PUBLISHED,
  'cms release delete spring': WITH_RELEASE,
};
