import { validateWith } from './validate-with.js';
import { deriveTypeNames } from '../../scaffold/type-names.js';
import type { TypeNames } from '../../scaffold/type-names.js';
import type { Prompter, Question } from './prompt.js';

/** Returns true for names that can be used, else the message that the prompt shows. */
type ValidateNames = (names: TypeNames) => true | string;

const TYPED_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u;

const validate = (names: () => TypeNames, isAvailable: ValidateNames): true | string => {
  const validity = validateWith(names);
  return validity === true ? isAvailable(names()) : validity;
};

/** Asks for the name of a new content-type, which is checked when it is typed. */
export function typeNameQuestion(message: string, isAvailable: ValidateNames): Question<string> {
  const validateName = (text: string): true | string =>
    TYPED_NAME.test(text.trim())
      ? validate(() => deriveTypeNames({ name: text.trim() }), isAvailable)
      : 'Letters, digits, spaces and - only, a letter first.';
  return (prompts, screen) => prompts.input({ message, validate: validateName }, screen);
}

/** Asks for the plural of a content-type. */
export function promptPlural(
  prompter: Prompter,
  message: string,
  name: string,
  isAvailable: ValidateNames,
): Promise<string> {
  return prompter((prompts, screen) =>
    prompts.input(
      {
        message,
        default: deriveTypeNames({ name }).pluralName,
        validate: (plural) => validate(() => deriveTypeNames({ name, plural }), isAvailable),
      },
      screen,
    ),
  );
}
