import { MEDIA_KINDS } from '../../../scaffold/attribute-options.js';
import { askConfirm } from './asker.js';
import type { Asker } from './asker.js';
import { askCounts } from './ask-relation.js';
import type { AttributeSite, Options } from './attribute-draft.js';

const componentChoices = (site: AttributeSite) => site.components.map(({ uid, displayName }) => ({ value: uid, name: uid, description: displayName }));

export async function askComponent(asker: Asker, site: AttributeSite): Promise<Options> {
  const component = await asker((prompts, screen) => prompts.select({ message: 'Which component', choices: componentChoices(site), pageSize: 12 }, screen));
  const repeatable = await askConfirm(asker, 'A list of them?', false);
  return { component, repeatable, ...(repeatable ? await askCounts(asker) : {}) };
}

export async function askDynamicZone(asker: Asker, site: AttributeSite): Promise<Options> {
  const components = await asker((prompts, screen) =>
    prompts.checkbox({ message: 'Which components', choices: componentChoices(site), required: true, pageSize: 12 }, screen));
  return { components, ...(await askCounts(asker)) };
}

export async function askMedia(asker: Asker): Promise<Options> {
  const multiple = await askConfirm(asker, 'Several files?', false);
  const allowedTypes = await asker((prompts, screen) =>
    prompts.checkbox({ message: 'Which files', choices: MEDIA_KINDS.map((value) => ({ value, checked: true })), required: true }, screen));
  return { multiple, allowedTypes };
}

export async function askEnumeration(asker: Asker): Promise<Options> {
  const read = (text: string): readonly string[] => text.split(/[,|]/).map((value) => value.trim()).filter((value) => value !== '');
  const text = await asker((prompts, screen) =>
    prompts.input({ message: 'Values, separated by commas', validate: (typed) => read(typed).length > 0 || 'At least one value, please.' }, screen));
  return { enum: [...new Set(read(text))] };
}

/** What a unique id is made from by tools that suggest one: one of the text attributes, or nothing. */
export async function askUid(asker: Asker, site: AttributeSite): Promise<Options> {
  const sources = site.taken.filter(({ json }) => json['type'] === 'string' || json['type'] === 'text').map(({ name }) => name);
  if (sources.length === 0) return {};
  const choices = [...sources.map((value) => ({ value, name: value })), { value: '', name: '(none)' }];
  const targetField = await asker((prompts, screen) => prompts.select({ message: 'Made from', choices }, screen));
  return targetField === '' ? {} : { targetField };
}
