import { defineConfig } from 'galley';

// Flags beat the environment (.env), the environment beats this file. Every setting has a default; these are the usual ones to change.
export default defineConfig({
  server: {
    host: '127.0.0.1',
    port: 1337,
  },
  api: {
    rest: { defaultLimit: 25, maxLimit: 100 },
  },
  i18n: { defaultLocale: 'en' },
});
