import type { AwsHttpRequest } from '../../../shared/aws/connection.ts';
import { givingBackAnnotation } from '../../../shared/nodes/node-keys.ts';
import { drawnWhere, givesBack, hasHolds, type PlantedBug } from './planted-bug.ts';
import {
  actionOf,
  bodyOf,
  isNodeRead,
  onHost,
  rewritten,
  targetOf,
  withBody,
  withSendAws,
  withSendHttp,
} from './sabotage.ts';

const leaving = ['node-leaving'];
const prewarm = ['prewarm'];

/** A list of the parameters below a path of Drover. */
const isRead = (request: AwsHttpRequest, path: string): boolean =>
  targetOf(request).endsWith('GetParametersByPath') && bodyOf(request).includes(path);

/** Bugs of holds. */
const plantedHolds = drawnWhere(hasHolds, [
  {
    name: 'MinSize is lowered during a hold, because one run did not read the holds',
    foundBy: ['bounds-lowered-on-record'],
    foundIn: [32],
    sabotage: onHost(prewarm, (host) => {
      let reads = 0;
      return withSendAws(host, async (request, send) => {
        const answer = await send(request);
        if (!isRead(request, '/holds')) return answer;
        reads += 1;
        return reads % 20 >= 14 ? rewritten(answer, () => '{"Parameters":[]}') : answer;
      });
    }),
  },
  {
    name: 'parameters of holds that have ended are never deleted',
    foundBy: ['bases-come-back'],
    foundIn: [32],
    sabotage: onHost(prewarm, (host) =>
      withSendAws(host, async (request, send) => {
        if (!targetOf(request).endsWith('DeleteParameter')) return await send(request);
        throw new Error('nothing is deleted');
      }),
    ),
  },
  {
    name: 'MinSize is never raised',
    foundBy: ['floors-are-kept'],
    foundIn: [32],
    sabotage: onHost(prewarm, (host) =>
      withSendAws(host, async (request, send) => {
        if (actionOf(request) !== 'UpdateAutoScalingGroup') return await send(request);
        throw new Error('the bounds are not set');
      }),
    ),
  },
]);

/** Bugs of giving nodes back after holds. */
const plantedGivingBack = drawnWhere(givesBack, [
  {
    name: 'a node is given back without being cordoned first',
    foundBy: ['gives-back-empty'],
    foundIn: [18],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, (request, send) =>
        send(
          request.method === 'PATCH' && request.body?.includes(givingBackAnnotation)
            ? withBody(request, (patch) => ({ ...patch, spec: undefined }))
            : request,
        ),
      ),
    ),
  },
  {
    name: 'a node is given back as soon as it is Ready',
    foundBy: ['gives-back-settled'],
    foundIn: [32],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        const longAgo = '"lastTransitionTime":"2020-01-01T00:00:00Z"';
        return { ...answer, body: answer.body.replaceAll(/"lastTransitionTime":"[^"]*"/g, longAgo) };
      }),
    ),
  },
  {
    name: 'nodes are given back regardless of zones',
    foundBy: ['gives-back-evenly'],
    foundIn: [16],
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) =>
          text.replaceAll(/<AvailabilityZones>.*?<\/AvailabilityZones>/gs, '<AvailabilityZones/>'),
        ),
      ),
    ),
  },
  {
    name: 'nodes are given back while another one of the group still leaves',
    foundBy: ['gives-back-one-at-a-time'],
    foundIn: [18],
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) => {
        const answer = await send(request);
        if (actionOf(request) !== 'DescribeAutoScalingGroups') return answer;
        return rewritten(answer, (text) => text.replaceAll('>Terminating:Wait<', '>Standby<'));
      }),
    ),
  },
  {
    name: 'a node that an operator has cordoned is given back',
    foundBy: ['reserves-open-nodes', 'gives-back-where-others-serve'],
    foundIn: [69],
    sabotage: onHost(leaving, (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        return { ...answer, body: answer.body.replaceAll('"unschedulable":true', '"unschedulable":false') };
      }),
    ),
  },
  {
    name: 'a node that a killed pass has reserved is forgotten',
    foundBy: ['no-node-stays-reserved'],
    foundIn: [26, 44, 46],
    sabotage: onHost([...leaving, 'sweep'], (host) =>
      withSendHttp(host, async (request, send) => {
        const answer = await send(request);
        if (!isNodeRead(request)) return answer;
        return { ...answer, body: answer.body.replaceAll(givingBackAnnotation, 'drover.dev/given-back') };
      }),
    ),
  },
  {
    name: 'nodes are given back whatever MinSize is',
    foundBy: ['gives-back-above-floor', 'gives-back-where-others-serve'],
    foundIn: [57],
    sabotage: onHost(leaving, (host) =>
      withSendAws(host, async (request, send) =>
        rewritten(await send(request), (text) => text.replaceAll(/<MinSize>[0-9]+</g, '<MinSize>0<')),
      ),
    ),
  },
]);

export const plantedCapacity: readonly PlantedBug[] = [...plantedHolds, ...plantedGivingBack];
