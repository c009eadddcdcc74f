import { defineConfig } from 'galley';

// The environment (.env) overrides this file, and flags override both. Every setting has a default. These are
// the ones that projects change most often.
export default defineConfig({
  server: {
    host: '127.0.0.1',
    port: 1337,
  },
  api: {
    rest: { defaultLimit: 25, maxLimit: 100 },
  },
  i18n: { defaultLocale: 'en' },
{{accounts}}});
