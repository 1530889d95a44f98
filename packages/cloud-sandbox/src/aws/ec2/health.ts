import type { Ec2World } from './model.ts';

export interface HealthEvent {
  /** Instances (or other entities) that the event names, over all its pages. */
  readonly entities: readonly string[];
  readonly entitiesPerPage?: number;
  readonly eventTypeCode?: string;
  readonly startsInSeconds?: number;
  /** The same in every event about one change. */
  readonly eventArn?: string;
  /** `closed`: the change was carried out or cancelled. */
  readonly statusCode?: 'upcoming' | 'closed';
  /** Where the instances are; by default this region. */
  readonly eventRegion?: string;
}

/**
 * One scheduled change, an event a page; page and totalPages are strings and the times are RFC 1123:
 * https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html
 */
export function healthEvent(world: Ec2World, event: HealthEvent): void {
  const pages = chunks(event.entities, event.entitiesPerPage ?? Math.max(1, event.entities.length));
  const common = commonDetail(world, event);
  for (const [index, entities] of pages.entries()) {
    world.putAwsEvent({
      source: 'aws.health',
      detailType: 'AWS Health Event',
      resources: entities,
      detail: {
        ...common,
        affectedEntities: entities.map((entityValue) => ({
          entityValue,
          status: event.statusCode === 'closed' ? 'RESOLVED' : 'IMPAIRED',
        })),
        page: String(index + 1),
        totalPages: String(pages.length),
        affectedAccount: world.accountId,
      },
    });
  }
}

function commonDetail(world: Ec2World, event: HealthEvent): Record<string, unknown> {
  const code = event.eventTypeCode ?? 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED';
  const region = event.eventRegion ?? world.region;
  const startsAt = world.clock.now() + (event.startsInSeconds ?? 14 * 86_400) * 1000;
  return {
    eventArn: event.eventArn ?? `arn:aws:health:${region}::event/EC2/${code}/${code}_${world.random.hex(32)}`,
    service: 'EC2',
    eventTypeCode: code,
    eventTypeCategory: 'scheduledChange',
    eventScopeCode: 'ACCOUNT_SPECIFIC',
    communicationId: world.random.hex(64),
    startTime: new Date(startsAt).toUTCString(),
    endTime: new Date(startsAt + 7_200_000).toUTCString(),
    lastUpdatedTime: new Date(world.clock.now()).toUTCString(),
    statusCode: event.statusCode ?? 'upcoming',
    eventRegion: region,
    eventDescription: [{ language: 'en_US', latestDescription: 'Instances are scheduled for maintenance.' }],
    backupEvent: 'false',
  };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_unused, index) => items.slice(index * size, (index + 1) * size));
}
