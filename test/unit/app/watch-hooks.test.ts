import { fastify as createFastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchHooks } from '../../../src/app/watch-hooks.js';
import { selective } from '../../../src/rest/shown-replies.js';

const noHook = async (): Promise<void> => undefined;

const answerOf = async (extend: (fastify: FastifyInstance) => void) => {
  const fastify = createFastify();
  onTestFinished(() => fastify.close());
  const { seesAnswers, seesRequests, end } = watchHooks(fastify);
  extend(fastify);
  fastify.register(async (own) => {
    end();
    own.addHook('onSend', noHook);
  });
  fastify.get('/', (_request, reply) => void reply.send('text'));
  const { body } = await fastify.inject('/');
  return { body, seesAnswers: seesAnswers(), seesRequests: seesRequests() };
};

describe('hooks that see what is sent', () => {
  it('are noticed, and run', async () => {
    expect(
      await answerOf((fastify) => {
        fastify.addHook('onSend', async (_request, _reply, payload) => `${String(payload)}!`);
      }),
    ).toEqual({ body: 'text!', seesAnswers: true, seesRequests: true });
  });

  it('are noticed where they may be added to routes or on an instance below', async () => {
    const onRoute = await answerOf((fastify) => void fastify.addHook('onRoute', () => undefined));
    expect(onRoute.seesAnswers).toBe(true);
    const below = await answerOf(
      (fastify) =>
        void fastify.register(async (child) => {
          child.addHook('onSend', noHook);
        }),
    );
    expect(below).toEqual({ body: 'text', seesAnswers: true, seesRequests: true });
  });

  it('are no other hooks, which see requests', async () => {
    const found = await answerOf((fastify) => {
      fastify.addHook('onRequest', noHook);
      fastify.get('/own', async () => 'own');
    });
    expect(found).toMatchObject({ seesAnswers: false, seesRequests: true });
  });

  it('are neither those of the application nor those that leave other requests alone', async () => {
    const found = await answerOf((fastify) => {
      fastify.addHook('onReady', noHook);
      fastify.addHook('onClose', noHook);
      fastify.addHook('onSend', selective(noHook));
      fastify.get('/own', async () => 'own');
    });
    expect(found).toMatchObject({ seesAnswers: false, seesRequests: false });
  });

  it('are like routes that more than their address is chosen by', async () => {
    const found = await answerOf((fastify) => {
      fastify.get('/own', { constraints: { host: 'example.org' } }, async () => 'own');
    });
    expect(found).toMatchObject({ seesAnswers: false, seesRequests: true });
  });
});
