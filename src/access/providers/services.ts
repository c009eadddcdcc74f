/** A service that people have accounts with. `[subdomain]` stands for the setting of that name. */
export interface Service {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Issuer of its identity tokens. Default: the origin of `authorizeUrl`. */
  readonly issuer?: string;
  readonly scope: readonly string[];
  /** Between scopes. Default: a space. */
  readonly delimiter?: ',';
  /** True if the secret goes into a header instead of the body of the request for tokens. */
  readonly usesBasic?: true;
  /** True if it supports proof (PKCE) that the client requesting tokens began the sign-in. */
  readonly takesProof?: true;
}

const OPENID = ['openid', 'email', 'profile'];

/** The services that are known, under Strapi's names. */
export const SERVICES: Readonly<Record<string, Service>> = {
  auth0: {
    authorizeUrl: 'https://[subdomain].auth0.com/authorize',
    tokenUrl: 'https://[subdomain].auth0.com/oauth/token',
    issuer: 'https://[subdomain].auth0.com/',
    scope: OPENID,
    takesProof: true,
  },
  cas: {
    authorizeUrl: 'https://[subdomain]/oidc/authorize',
    tokenUrl: 'https://[subdomain]/oidc/token',
    issuer: 'https://[subdomain]/oidc',
    scope: ['openid', 'email'],
  },
  cognito: {
    authorizeUrl: 'https://[subdomain]/oauth2/authorize',
    tokenUrl: 'https://[subdomain]/oauth2/token',
    scope: OPENID,
    takesProof: true,
  },
  discord: {
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    scope: ['identify', 'email'],
  },
  facebook: {
    authorizeUrl: 'https://www.facebook.com/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/oauth/access_token',
    scope: ['email'],
    delimiter: ',',
  },
  github: {
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scope: ['user', 'user:email'],
    delimiter: ',',
    takesProof: true,
  },
  google: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    issuer: 'https://accounts.google.com',
    scope: ['email'],
    takesProof: true,
  },
  keycloak: {
    authorizeUrl: 'https://[subdomain]/protocol/openid-connect/auth',
    tokenUrl: 'https://[subdomain]/protocol/openid-connect/token',
    issuer: 'https://[subdomain]',
    scope: OPENID,
    takesProof: true,
  },
  linkedin: {
    authorizeUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    issuer: 'https://www.linkedin.com/oauth',
    scope: OPENID,
  },
  microsoft: {
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: ['user.read'],
    takesProof: true,
  },
  patreon: {
    authorizeUrl: 'https://www.patreon.com/oauth2/authorize',
    tokenUrl: 'https://www.patreon.com/api/oauth2/token',
    scope: ['identity', 'identity[email]'],
  },
  reddit: {
    authorizeUrl: 'https://www.reddit.com/api/v1/authorize',
    tokenUrl: 'https://www.reddit.com/api/v1/access_token',
    scope: ['identity'],
    delimiter: ',',
    usesBasic: true,
  },
  twitch: {
    authorizeUrl: 'https://id.twitch.tv/oauth2/authorize',
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
    issuer: 'https://id.twitch.tv/oauth2',
    scope: ['user:read:email'],
  },
};

/** Services that Strapi has and that nobody can be sent to, with the reason. */
export const UNSUPPORTED_SERVICES: Readonly<Record<string, string>> = {
  twitter: 'it takes OAuth 1, which is not spoken here',
  instagram: 'it has closed its sign-in for personal accounts',
  vk: 'it has closed the sign-in that Strapi uses',
};
