import type { Scenario } from './comparison.js';
import { fileOperations } from './file-operations.js';
import { accessOutcome, grantedRule, isInScope } from './oracle.js';
import { roleOperations } from './role-operations.js';
import { userOperations } from './user-operations.js';

export async function checkPlugins(scenario: Scenario): Promise<void> {
  for (const operations of [
    await userOperations(scenario),
    await roleOperations(scenario),
    await fileOperations(scenario),
  ]) {
    for (const { what, kind, action, send, expected = 'ok' } of operations) {
      const access = accessOutcome(scenario.caller, kind, action);
      scenario.compare(what, (await send()).outcome, access === 'ok' ? expected : access);
    }
  }
}

/** Returns the texts that no response for this caller may contain. */
export function listForbiddenTexts({ caller }: Pick<Scenario, 'caller'>): readonly string[] {
  const findRule = grantedRule(caller, 'story', 'find');
  const findOneRule = grantedRule(caller, 'story', 'findOne');
  const story = (name: string) => ({ title: `${name} story`, owner: { username: name } });
  const seesBody = (name: string): boolean =>
    [findRule, findOneRule].some(
      (rule) =>
        isInScope(caller, rule, story(name)) && (rule?.fields === undefined || rule.fields.includes('body')),
    );
  const userRules = [
    grantedRule(caller, 'user', 'find'),
    grantedRule(caller, 'user', 'findOne'),
    grantedRule(caller, 'user', 'update'),
  ];
  const seesAddresses = userRules.some(
    (rule) => rule !== null && (rule.fields === undefined || rule.fields.includes('email')),
  );
  return [
    ...['ann', 'bob'].filter((name) => !seesBody(name)).map((name) => `body-of-${name}`),
    ...(grantedRule(caller, 'vault', 'find') === null ? ['code-v'] : []),
    ...(seesAddresses
      ? []
      : ['ann', 'bob', 'eve']
          .filter((name) => name !== caller.username)
          .map((name) => `${name}@example.com`)),
  ];
}
