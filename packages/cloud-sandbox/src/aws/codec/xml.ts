import { XmlShapeSerializer } from '@aws-sdk/core/protocols';
import type { NormalizedSchema } from '@smithy/core/schema';

const dateTimeFormat = 5;

const serializer = new XmlShapeSerializer({
  timestampFormat: { useTrait: true, default: dateTimeFormat },
  httpBindings: false,
  xmlNamespace: '',
  serviceNamespace: '',
});

/** The XML of a structure's members, without the element of the structure itself; '' for an operation without output. */
export function encodeXmlMembers(schema: NormalizedSchema, value: unknown): string {
  if (schema.isUnitSchema()) return '';
  serializer.write(schema, value ?? {});
  const text = String(serializer.flush());
  const start = text.indexOf('>') + 1;
  return text.endsWith('/>') && start === text.length ? '' : text.slice(start, text.lastIndexOf('</'));
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const escapeXml = (text: string): string => text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
