import { compileExpression } from '../../../config/evaluate-expression.js';
import { createError } from '../../../errors/catalogue.js';
import type { ScalarConstraints } from '../../../model/fields/field-type.js';
import { textForm } from '../../../lib/text-form.js';
import type { ScalarAttribute } from '../../../model/model.js';
import { takesAnyText } from '../convert-scalar.js';
import type { CodeConversion } from './code-expression.js';

const MAX_VALUE_LENGTH = 120;

const UNCONSTRAINED: ScalarConstraints = Object.freeze({ required: false, unique: false });

const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.trim().replace(/\.$/, '');
};

/** Returns the request value for an expression's result, or undefined if there is none. */
const asInput = (attribute: ScalarAttribute, result: unknown): unknown => {
  if (result === null || (typeof result === 'number' && !Number.isFinite(result))) return undefined;
  if (result instanceof Date) return Number.isNaN(result.getTime()) ? undefined : result.toISOString();
  if (typeof result === 'bigint') return String(result);
  const isPrintable = typeof result === 'number' || typeof result === 'boolean';
  return isPrintable && takesAnyText(attribute) ? String(result) : result;
};

/**
 * Returns the text form of the value that an attribute stores; JSON text for `json`. Values that break a
 * limit of the attribute are kept: inspections count them as invalid. Null if the result is not a value of
 * the type.
 */
const storableText = (attribute: ScalarAttribute, result: unknown): string | null => {
  const input = asInput(attribute, result);
  if (input === undefined) return null;
  const { field, constraints, column } = attribute;
  const complete = field.parse(input, constraints, 'full');
  const parsed = complete.ok ? complete : field.parse(input, UNCONSTRAINED, 'draft');
  if (!parsed.ok) return typeof input === 'string' && takesAnyText(attribute) ? input : null;
  if (parsed.value === null) return null;
  return column.kind === 'json' ? JSON.stringify(parsed.value) : textForm(parsed.value);
};

const printValue = (json: string): string =>
  json.length <= MAX_VALUE_LENGTH ? json : `${json.slice(0, MAX_VALUE_LENGTH)}…`;

/**
 * Compiles a conversion into a function from JSON text of the old value to the text form of the new one,
 * which is null where the expression returns no value of the new type.
 *
 * @throws `migration/invalid-expression`; the function throws `migration/conversion-failed`
 */
export function compileConversion(
  { key, code }: CodeConversion,
  attribute: ScalarAttribute,
): (oldJson: string) => string | null {
  const compile = (): ((value: unknown) => unknown) => {
    try {
      return compileExpression(code);
    } catch (cause) {
      throw createError(
        'migration/invalid-expression',
        { attribute: key, reason: reasonOf(cause) },
        { cause },
      );
    }
  };
  const convert = compile();
  const fail = (oldJson: string, reason: string, options?: ErrorOptions): Error =>
    createError(
      'migration/conversion-failed',
      { attribute: key, value: printValue(oldJson), reason },
      options,
    );
  const evaluate = (oldJson: string): unknown => {
    try {
      return convert(JSON.parse(oldJson));
    } catch (cause) {
      throw fail(oldJson, reasonOf(cause), { cause });
    }
  };
  return (oldJson) => {
    const result = evaluate(oldJson);
    if (result instanceof Promise)
      throw fail(oldJson, 'it returns a promise, which a migration does not await');
    return storableText(attribute, result);
  };
}
