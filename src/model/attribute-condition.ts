import type { AttributeDefinition } from './content-types/definition.js';
import { isScalarTypeName } from './fields/registry.js';
import { isRecord } from '../lib/records.js';
import { describeLogic, LOGIC_OPERATORS } from '../lib/json-logic.js';
import { withSuggestion } from '../lib/nearest.js';
import type { AttributeCondition } from './model.js';
import { findAttribute } from './resolution.js';
import type { Resolution, SchemaDefinition } from './resolution.js';

interface ConditionContext {
  readonly resolution: Resolution;
  readonly schema: SchemaDefinition;
}

interface Finding {
  readonly severity?: 'warning';
  readonly message: string;
  readonly allowed?: readonly string[];
}

const checkPath = (schema: SchemaDefinition, path: string): Finding | null => {
  const [name = ''] = path.split('.');
  const attribute = findAttribute(schema, name);
  if (attribute === undefined) {
    const names = schema.attributes.map((other) => other.name);
    return {
      severity: 'warning',
      message: withSuggestion(
        `"conditions" reads "${path}", and there is no attribute "${name}"; it has no value`,
        name,
        names,
      ),
      allowed: names,
    };
  }
  return isScalarTypeName(attribute.type)
    ? null
    : {
        message: `"conditions" reads "${name}", which is of type ${attribute.type} and holds no single value`,
      };
};

const checkRule = (schema: SchemaDefinition, rule: unknown): readonly Finding[] => {
  const { operators, paths, isUnclear } = describeLogic(rule);
  const unknown = operators.filter((operator) => !LOGIC_OPERATORS.includes(operator));
  return [
    ...[...new Set(unknown)].map((operator) => ({
      message: withSuggestion(
        `"conditions" has the operator "${operator}", which is not supported`,
        operator,
        LOGIC_OPERATORS,
      ),
      allowed: LOGIC_OPERATORS,
    })),
    ...(isUnclear
      ? [{ message: '"conditions" must be operations of one operator each, over names that stand there' }]
      : []),
    ...[...new Set(paths)].flatMap((path) => checkPath(schema, path) ?? []),
  ];
};

/** Returns "conditions.visible". Null: the attribute is always shown. */
const visibilityRule = ({ options }: AttributeDefinition): Readonly<Record<string, unknown>> | null => {
  const { conditions } = options;
  const rule = isRecord(conditions) ? conditions['visible'] : undefined;
  return isRecord(rule) && Object.keys(rule).length > 0 ? rule : null;
};

const checkForm = ({ options }: AttributeDefinition): readonly Finding[] => {
  const { conditions } = options;
  if (!isRecord(conditions)) return [];
  const { visible, ...others } = conditions;
  return [
    ...Object.keys(others).map((key): Finding => ({
      severity: 'warning',
      message: `"conditions" has no "${key}"; it is ignored`,
      allowed: ['visible'],
    })),
    ...(visible === undefined || isRecord(visible)
      ? []
      : [
          { message: '"conditions.visible" must be an operation such as {"==": [{"var": "type"}, "video"]}' },
        ]),
  ];
};

/** Compiles the condition of an attribute. Reports parts that cannot be evaluated. */
export function compileCondition(
  { resolution, schema }: ConditionContext,
  attribute: AttributeDefinition,
): Omit<AttributeCondition, 'isRequired'> | null {
  const rule = visibilityRule(attribute);
  const findings = [...checkForm(attribute), ...(rule === null ? [] : checkRule(schema, rule))];
  for (const finding of findings)
    resolution.problems.add(
      { schema, attribute, option: 'conditions' },
      { code: 'invalid-condition', ...finding },
    );
  if (rule === null) return null;
  const reads = describeLogic(rule).paths.map((path) => path.split('.')[0] ?? path);
  return { rule, reads: [...new Set(reads)] };
}
