import { encodeRestCall, type RestBinding, type XmlDialect } from './rest-xml.ts';
import { type Answers, type AwsApi, type Service, send } from './service.ts';
import { readShape } from './shape.ts';
import { xmlReader } from './xml.ts';
import { documentOf } from './xml-document.ts';
import { xmlErrorOf } from './xml-error.ts';

export interface RestXmlService<Inputs, Shapes> extends Service {
  readonly bindings: { readonly [Operation in keyof Inputs]: RestBinding };
  readonly dialect: XmlDialect;
  readonly answers: Shapes;
}

/** A service whose operations are paths and methods and which speaks XML: AWS's REST-XML protocol. */
export function restXmlApi<
  Inputs extends Readonly<Record<keyof Inputs, object>>,
  Shapes extends Answers<Inputs>,
>(service: RestXmlService<Inputs, Shapes>): AwsApi<Inputs, Shapes> {
  const { bindings, dialect, answers } = service;
  return {
    call: async (operation, input) => {
      const call = encodeRestCall(bindings[operation], input, dialect);
      const headers: Record<string, string> = call.body ? { 'content-type': 'application/xml' } : {};
      const answer = await send(service, { ...call, headers });
      if (answer.statusCode >= 300) throw xmlErrorOf(answer);
      return readShape(answers[operation], documentOf(operation, answer), xmlReader) as never;
    },
  };
}
