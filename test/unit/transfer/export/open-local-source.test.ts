import { expect, it } from 'vitest';
import { withoutCodes, withoutSecrets } from '../../../../src/transfer/export/open-local-source.js';

it('leaves out keys of providers, credentials in headers and codes, and nothing else', () => {
  const grant = {
    github: { enabled: true, key: 'public', secret: 's3cret', scope: ['user'] },
    list: [{ token: 'x' }],
  };
  const store = {
    type: 'core-store',
    value: { key: 'plugin_users-permissions_grant', value: grant },
  } as const;
  expect(withoutSecrets(store).value).toEqual({
    key: 'plugin_users-permissions_grant',
    value: { github: { enabled: true, key: 'public', scope: ['user'] }, list: [{}] },
  });
  const advanced = { email_reset_password: 'https://example.com/reset', allow_register: true };
  const settings = { type: 'core-store', value: { key: 'advanced', value: advanced } } as const;
  expect(withoutSecrets(settings)).toEqual(settings);
  const hook = { name: 'deploy', url: 'https://example.com', events: [], enabled: true };
  const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'y', Accept: 'text/plain' };
  expect(withoutSecrets({ type: 'webhook', value: { ...hook, headers } }).value).toEqual({
    ...hook,
    headers: { Accept: 'text/plain' },
  });
  const user = { type: 'plugin::users-permissions.user', id: 1 };
  const data = { password: '$2a$10$hash', resetPasswordToken: 'sent', confirmationToken: 'sent' };
  expect(withoutCodes({ ...user, data }).data).toEqual({
    password: '$2a$10$hash',
    resetPasswordToken: null,
    confirmationToken: null,
  });
});
