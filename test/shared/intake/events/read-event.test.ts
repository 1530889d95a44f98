import { describe, expect, it } from 'vitest';
import { readSample, samplePlace, sampleText } from '../../../../events/index.ts';
import { longestEvent, readEvent, readEventText } from '../../../../shared/intake/events/read-event.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';
const noticeOf = (name: Parameters<typeof readSample>[0]) => {
  const meaning = readSample(name);
  if (meaning.kind !== 'leaving') throw new Error(`${name} is ${meaning.kind}`);
  return meaning.notices[0];
};

/** A sample with other fields in its detail; a field that is undefined is left out. */
function readDetail(name: Parameters<typeof readSample>[0], fields: Readonly<Record<string, unknown>>) {
  const event = JSON.parse(sampleText(name)) as { readonly detail: object };
  const text = JSON.stringify({ ...event, detail: { ...event.detail, ...fields } });
  return readEventText(text, samplePlace);
}

describe('a terminate action', () => {
  it('means that the instance leaves, with the hook that holds it', () => {
    expect(noticeOf('terminate-action')).toEqual({
      cause: 'terminating',
      instanceId,
      noticedAt: '2026-11-20T09:14:07.000Z',
      destination: 'EC2',
      hook: {
        autoScalingGroupName: 'drover-workers',
        lifecycleHookName: 'drover-node-leaving',
        lifecycleActionToken: 'b7c5f6de-2a4f-4d1e-8a7c-3f1f2c9d0e11',
      },
    });
  });

  it('is read without Origin and Destination, which older events do not have', () => {
    expect(noticeOf('terminate-action-without-places')).not.toHaveProperty('destination');
  });

  it('on the way back to a warm pool has the pool as its destination, because it is not a termination', () => {
    expect(noticeOf('terminate-action-to-warm-pool')?.destination).toBe('WarmPool');
  });

  it('before a new root volume is marked, because the instance returns', () => {
    expect(noticeOf('terminate-action-to-replace-root-volume')).toMatchObject({
      cause: 'terminating',
      action: 'ReplaceRootVolume',
      destination: 'AutoScalingGroup',
    });
    expect(noticeOf('terminate-action')).not.toHaveProperty('action');
  });

  it.each(['hook-terminate', 'sns-hook-terminate', 'sns-event'] as const)(
    'means the same as %s, apart from the time',
    (name) => {
      const { noticedAt: _, ...rest } = noticeOf(name) ?? { noticedAt: '' };
      expect(noticeOf('terminate-action')).toMatchObject(rest);
    },
  );
});

describe('a launch action', () => {
  it('means that the instance joins', () => {
    expect(readSample('launch-action').launch).toMatchObject({ instanceId, origin: 'EC2' });
  });

  it('into a warm pool has the pool as its destination', () => {
    expect(readSample('launch-action-into-warm-pool').launch.destination).toBe('WarmPool');
  });

  it.each(['ReservedPool', ''])(
    'from a place that AWS has added since (%j) is one without an origin',
    (place) => {
      const event = JSON.parse(sampleText('launch-action')) as { detail: object };
      const meaning = readEvent({ ...event, detail: { ...event.detail, Origin: place } }, samplePlace);
      expect(meaning).toEqual({
        ...readSample('launch-action'),
        launch: { ...readSample('launch-action').launch, origin: undefined },
      });
    },
  );

  it('from a warm pool means that the instance joins', () => {
    expect(readSample('launch-action-from-warm-pool').launch.origin).toBe('WarmPool');
  });
});

describe('a warning of EC2', () => {
  it.each(['terminate', 'stop', 'hibernate'] as const)(
    'of a Spot interruption (%s) gives two minutes from its time',
    (action) => {
      expect(noticeOf(`spot-interruption-${action}`)).toMatchObject({
        cause: 'spot-interruption',
        deadline: '2026-11-20T09:16:07.000Z',
      });
    },
  );

  it.each([
    ['spot-interruption-terminate', undefined],
    ['spot-interruption-terminate', { of: 'an object' }],
    ['capacity-reservation-interruption', undefined],
    ['capacity-reservation-interruption', 'x'.repeat(100)],
  ] as const)(
    'keeps its two minutes whatever its action is, because the action is not used (%s, %j)',
    (name, action) => {
      expect(readDetail(name, { 'instance-action': action })).toEqual(readSample(name));
    },
  );

  it.each(['capacity-reservation-interruption', 'capacity-reservation-interruption-bare-resource'] as const)(
    'of a capacity reservation names its own time (%s)',
    (name) => {
      expect(noticeOf(name)).toMatchObject({
        cause: 'capacity-reservation',
        deadline: '2026-11-20T09:16:30.000Z',
      });
    },
  );

  it('without a time gets the shortest notice', () => {
    const event = JSON.parse(sampleText('capacity-reservation-interruption')) as { detail: object };
    const detail = { ...event.detail, 'instance-termination-time': undefined };
    expect(readEvent({ ...event, detail }, samplePlace)).toMatchObject({
      notices: [{ deadline: '2026-11-20T09:16:07.000Z' }],
    });
  });

  it('to rebalance has no deadline', () => {
    expect(noticeOf('rebalance-recommendation')).toEqual({
      cause: 'rebalance',
      instanceId,
      noticedAt: '2026-11-20T09:14:07.000Z',
    });
  });
});

describe('a state change', () => {
  it('to terminated means that the instance is gone', () => {
    expect(noticeOf('state-change-terminated')).toMatchObject({
      cause: 'instance-gone',
      noticedAt: '2026-11-20T09:14:07.412Z',
    });
  });

  it.each(['pending', 'running', 'stopping', 'stopped', 'shutting-down'] as const)(
    'to %s asks for nothing',
    (state) => {
      expect(readSample(`state-change-${state}`).reason).toContain(state);
    },
  );

  it('to a state that EC2 does not document asks for nothing, and its text is not repeated', () => {
    const event = JSON.parse(sampleText('state-change-stopped')) as { detail: object };
    const meaning = readEvent({ ...event, detail: { ...event.detail, state: 'resting' } }, samplePlace);
    expect(meaning).toMatchObject({
      kind: 'ignored',
      reason: 'an instance that is in another state is not gone',
    });
  });
});

describe('a Health event', () => {
  const idsOf = (name: 'health-many-instances' | 'health-page-1-of-2' | 'health-page-2-of-2') =>
    readSample(name).notices.map((notice) => notice.instanceId);

  it('is a notice for every listed instance, without the announced time, which may move or be past', () => {
    expect(idsOf('health-many-instances')).toHaveLength(3);
    expect(noticeOf('health-many-instances')).toMatchObject({ cause: 'scheduled-change' });
    expect(noticeOf('health-many-instances')).not.toHaveProperty('deadline');
  });

  it('with several pages is read page by page', () => {
    expect([...idsOf('health-page-1-of-2'), ...idsOf('health-page-2-of-2')]).toEqual(
      idsOf('health-many-instances'),
    );
  });

  it('counts for the affected region, not for the region that delivered it', () => {
    expect(readSample('health-other-region').reason).toMatch(/another region/);
    expect(readSample('health-backup-copy').notices).toHaveLength(1);
  });

  it('accepts instance ARNs too, and skips other entities', () => {
    expect(readSample('health-volumes-and-instance-arns').notices.map((notice) => notice.instanceId)).toEqual(
      [instanceId],
    );
  });

  it.each([
    ['a volume', [{ entityValue: 'vol-0a1b2c3d4e5f60718' }]],
    ['nothing', undefined],
  ])('that names only %s is ignored', (_, affectedEntities) => {
    const event = JSON.parse(sampleText('health-retirement')) as { detail: object };
    const meaning = readEvent({ ...event, detail: { ...event.detail, affectedEntities } }, samplePlace);
    expect(meaning).toMatchObject({ kind: 'ignored', reason: 'it names no instance' });
  });

  it.each([
    ['closed', { statusCode: 'closed' }],
    ['resolved for the instance', { affectedEntities: [{ entityValue: instanceId, status: 'RESOLVED' }] }],
  ])('about a change that is %s ends that change', (_, fields) => {
    expect(readDetail('health-retirement', fields)).toMatchObject({
      notices: [
        { cause: 'change-ended', instanceId, change: readSample('health-retirement').notices[0]?.change },
      ],
    });
  });

  it('does not end a change for an instance that one of two entities still names', () => {
    const affectedEntities = [
      { entityValue: instanceId, status: 'IMPAIRED' },
      { entityValue: `arn:aws:ec2:eu-west-1:123456789012:instance/${instanceId}`, status: 'RESOLVED' },
    ];
    expect(readDetail('health-retirement', { affectedEntities })).toMatchObject({
      notices: [{ cause: 'scheduled-change' }],
    });
  });

  it.each([
    ['a page that is a word', { page: 'two', totalPages: '2' }],
    ['a page beyond the last', { page: '3', totalPages: '2' }],
    ['a page that is a number', { page: 3, totalPages: 4 }],
    ['no code', { eventTypeCode: undefined }],
    ['no region', { eventRegion: undefined }],
  ])('with %s is read, because nothing of that is used', (_, fields) => {
    expect(readDetail('health-retirement', fields)).toMatchObject({
      kind: 'leaving',
      notices: [{ cause: 'scheduled-change' }],
    });
  });

  it.each([['eventTypeCode'], ['eventTypeCategory'], ['eventRegion'], ['affectedEntities']])(
    'of another service is ignored without %s',
    (field) => {
      expect(readDetail('health-of-another-service', { [field]: undefined })).toMatchObject({
        kind: 'ignored',
        reason: 'it is not about EC2',
      });
    },
  );

  it('of EC2 without a category is malformed, because the category shows whether nodes must leave', () => {
    expect(readDetail('health-retirement', { eventTypeCategory: undefined })).toMatchObject({
      kind: 'malformed',
      error: { field: 'detail.eventTypeCategory' },
    });
  });

  it('with more entities than fit into an event is malformed', () => {
    const event = JSON.parse(sampleText('health-retirement')) as { detail: object };
    const affectedEntities = Array.from({ length: 2001 }, () => ({ entityValue: instanceId }));
    const meaning = readEvent({ ...event, detail: { ...event.detail, affectedEntities } }, samplePlace);
    expect(meaning).toMatchObject({ kind: 'malformed', error: { field: 'detail.affectedEntities' } });
  });
});

describe('the end of a scaling activity', () => {
  it.each([
    'launch-successful',
    'launch-unsuccessful',
    'terminate-successful',
    'terminate-unsuccessful',
  ] as const)('asks for nothing, and its detail is not read (%s)', (name) => {
    expect(readDetail(name, { AutoScalingGroupName: undefined, EC2InstanceId: 'none' })).toEqual(
      readSample(name),
    );
  });
});

describe('an event of another kind', () => {
  it('is `unknown` with its name', () => {
    expect(readSample('unknown-detail-type').what).toBe(
      'aws.autoscaling EC2 Auto Scaling Instance Refresh Succeeded',
    );
  });

  it('is malformed if it is larger than AWS allows', () => {
    const text = JSON.stringify({ padding: 'x'.repeat(longestEvent) });
    expect(readEventText(text, samplePlace).kind).toBe('malformed');
  });

  it('may have unknown fields', () => {
    const event = { ...(JSON.parse(sampleText('terminate-action')) as object), novelty: { of: '2027' } };
    expect(readEvent(event, samplePlace).kind).toBe('leaving');
  });
});
