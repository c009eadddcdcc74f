import type { FastifyReply, FastifyRequest } from 'fastify';
import { changePassword } from '../../access/people/change-password.js';
import { confirmEmail } from '../../access/people/confirm-email.js';
import { forgotPassword } from '../../access/people/forgot-password.js';
import { login } from '../../access/people/login.js';
import { logout } from '../../access/people/logout.js';
import type { PeopleContext, SignedIn } from '../../access/people/people.js';
import { refresh } from '../../access/people/refresh.js';
import { register } from '../../access/people/register.js';
import { resetPassword } from '../../access/people/reset-password.js';
import { sendEmailConfirmation } from '../../access/people/send-confirmation.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { Handler } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import type { PeopleHandlers } from './route.js';

/** `{"jwt":"…","refreshToken":"…","user":{…}}`; the user's record is JSON text already. */
const printSignedIn = (signedIn: SignedIn | { readonly user: string }): string => {
  const tokens = 'jwt' in signedIn ? { jwt: signedIn.jwt, ...(signedIn.refreshToken === null ? {} : { refreshToken: signedIn.refreshToken }) } : {};
  const members = Object.entries(tokens).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${[...members, `"user":${signedIn.user}`].join(',')}}`;
};

/** Answers may hold tokens, which no cache may keep. */
const send = (reply: FastifyReply, text: string): FastifyReply => sendJson(reply.header('cache-control', 'no-store'), 200, text);

const signingIn = (work: (request: FastifyRequest) => Promise<SignedIn | { readonly user: string }>): Handler => async (request, reply) => send(reply, printSignedIn(await work(request)));

const answering = (work: (request: FastifyRequest) => unknown): Handler => async (request, reply) => send(reply, JSON.stringify(await work(request)));

const confirming = (people: PeopleContext): Handler => async (request, reply) => {
  const user = await confirmEmail(people, queryOf(request)['confirmation']);
  const target = people.settings.confirmationRedirect;
  return target === null ? send(reply, printSignedIn({ user })) : reply.redirect(target, 302);
};

/** Signing up, in and out, and passwords. */
export function authHandlers(people: PeopleContext) {
  return {
    login: signingIn((request) => login(people, request.body)),
    register: signingIn((request) => register(people, request.body)),
    forgotPassword: answering((request) => forgotPassword(people, request.body)),
    resetPassword: signingIn((request) => resetPassword(people, request.body)),
    changePassword: signingIn((request) => changePassword(people, callerOf(request), request.body)),
    confirmEmail: confirming(people),
    sendConfirmation: answering((request) => sendEmailConfirmation(people, request.body)),
    refresh: answering((request) => refresh(people, request.body)),
    logout: answering((request) => logout(people, callerOf(request))),
  } satisfies PeopleHandlers;
}
