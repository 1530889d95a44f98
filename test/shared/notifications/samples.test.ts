import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import { detailSchema, schemaText } from '../../../events/notifications/detail-schema.ts';
import {
  detailVersion,
  eventSource,
  type NotificationDetail,
  notificationKinds,
} from '../../../shared/notifications/notification.ts';

const textOf = (name: string): string => readFileSync(`events/notifications/${name}.json`, 'utf8');

it('the schema in events/notifications is that of the detail', () => {
  expect(JSON.parse(textOf('schema'))).toEqual(JSON.parse(schemaText()));
  expectTypeOf<keyof z.infer<typeof detailSchema>>().toEqualTypeOf<keyof NotificationDetail>();
});

it.each(Object.entries(notificationKinds))(
  'the sample of %s is an event of that kind',
  (kind, { detailType, severity }) => {
    const event = JSON.parse(textOf(kind)) as Readonly<Record<string, unknown>>;
    expect(event).toMatchObject({ source: eventSource, 'detail-type': detailType });
    const detail = detailSchema.parse(event['detail']);
    expect(detail).toEqual(event['detail']);
    expect(detail).toMatchObject({ version: detailVersion, kind, severity, cluster: 'prod' });
    expect(detail.id.startsWith(`prod/${kind}/`)).toBe(true);
  },
);

it('docs/notifications.md has each kind, with its detail-type, its severity and the sentence of its sample', () => {
  const page = readFileSync('docs/notifications.md', 'utf8');
  for (const [kind, { detailType, severity }] of Object.entries(notificationKinds)) {
    expect(page).toContain(`| \`${detailType}\` | \`${kind}\` | ${severity} |`);
    const { detail } = JSON.parse(textOf(kind)) as { readonly detail: { readonly message: string } };
    expect(page).toContain(`| \`${kind}\` | ${detail.message} |`);
  }
});
