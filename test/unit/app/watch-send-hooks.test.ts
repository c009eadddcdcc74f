import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSendHooks } from '../../../src/app/watch-send-hooks.js';

const answerOf = async (extend: (fastify: FastifyInstance) => void) => {
  const fastify = createFastify();
  onTestFinished(() => fastify.close());
  const hasSendHooks = watchSendHooks(fastify);
  extend(fastify);
  fastify.get('/', (_request, reply) => void reply.send('text'));
  const { body } = await fastify.inject('/');
  return { body, hasSendHooks: hasSendHooks() };
};

describe('hooks that see what is sent', () => {
  it('are noticed, and run', async () => {
    expect(
      await answerOf((fastify) => {
        fastify.addHook('onSend', async (_request, _reply, payload) => `${String(payload)}!`);
      }),
    ).toEqual({ body: 'text!', hasSendHooks: true });
  });

  it('are noticed where they may be added to routes or on an instance below', async () => {
    const noHook = async (): Promise<void> => undefined;
    const onRoute = await answerOf((fastify) => void fastify.addHook('onRoute', () => undefined));
    expect(onRoute.hasSendHooks).toBe(true);
    const below = await answerOf(
      (fastify) =>
        void fastify.register(async (child) => {
          child.addHook('onSend', noHook);
        }),
    );
    expect(below).toEqual({ body: 'text', hasSendHooks: true });
  });

  it('are no other hooks', async () => {
    const { hasSendHooks } = await answerOf((fastify) => {
      fastify.addHook('onRequest', async () => undefined);
      fastify.get('/own', async () => 'own');
    });
    expect(hasSendHooks).toBe(false);
  });
});
