import { deriveTypeNames } from '../../project/scaffold/type-names.js';
import type { TypeNames } from '../../project/scaffold/type-names.js';
import { askText } from './prompt.js';
import type { Prompter, Validity } from './prompt.js';
import { validateWith } from './validate-with.js';

/** Returns true for names that can be used, else the message that the prompt shows. */
export type ValidateNames = (names: TypeNames) => Validity | Promise<Validity>;

const TYPED_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u;

interface NameQuestion {
  readonly message: string;
  readonly initial?: string | undefined;
  readonly isAvailable: ValidateNames;
}

const check = async (names: () => TypeNames, isAvailable: ValidateNames): Promise<Validity> => {
  const validity = await validateWith(names);
  return validity === true ? isAvailable(names()) : validity;
};

/** Asks for the name of a new content-type. */
export function promptTypeName(
  prompter: Prompter,
  { isAvailable, ...question }: NameQuestion,
): Promise<string> {
  return askText(prompter, {
    ...question,
    isRequired: true,
    validate: (text) =>
      TYPED_NAME.test(text)
        ? check(() => deriveTypeNames({ name: text }), isAvailable)
        : 'Letters, digits, spaces and - only, a letter first.',
  });
}

/** Asks for the plural of a content-type. */
export function promptPlural(
  prompter: Prompter,
  name: string,
  { isAvailable, initial, ...question }: NameQuestion,
): Promise<string> {
  return askText(prompter, {
    ...question,
    isRequired: true,
    initial: initial ?? deriveTypeNames({ name }).pluralName,
    validate: (plural) => check(() => deriveTypeNames({ name, plural }), isAvailable),
  });
}
