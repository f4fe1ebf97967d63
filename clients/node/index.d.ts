/** Conditions that must all hold; see "Matcher objects" in docs/admin-api.md. */
export interface Match {
  outcome?: Condition;
  device?: Condition;
  topic?: Condition;
  type?: Condition;
  priority?: Condition;
  collapseId?: Condition;
  apnsId?: Condition;
  status?: Condition;
  reason?: Condition;
  not?: Match;
  anyOf?: Match[];
  /** `aps.alert.title`, `payload.order.id`, `header.apns-topic`, and all other filters. */
  [field: string]: Condition | Match | Match[] | undefined;
}

/** A value, exact or a glob with `*`; one of several; or operators such as `{ gt: 3 }`. */
export type Condition = string | number | boolean | null | ReadonlyArray<string | number | boolean | null> | { [operator: string]: unknown };

/** "250ms", "5s", "2m", or milliseconds. */
export type Duration = string | number;

export interface Expectation {
  /** At least so many; one, unless told. */
  count?: number;
  /** So many and no more. */
  exactly?: number;
  /** How long to wait at most: 5 s, unless told. */
  within?: Duration;
  /** The quiet behind the last match that `exactly` asks for: 200 ms, unless told. */
  settle?: Duration;
  /** Only what came after this cursor. */
  after?: number;
}

/** An entry of the log, as the admin API gives it. */
export interface Entry {
  id: string;
  seq: number;
  outcome: "accepted" | "rejected" | "faulted" | "broken";
  device: string | null;
  topic: string | null;
  payload: any;
  response: { status: number; reason: string | null } | null;
  [member: string]: any;
}

/** Members of the body of POST /v1/fail-next. */
export interface Fail {
  reason?: string;
  fault?: string;
  times?: number;
  delay?: Duration | object;
  match?: Match;
  device?: string;
  topic?: string;
  type?: string;
  skip?: number;
  per?: "all" | "device" | "topic" | "connection" | "apnsId" | "key";
  status?: number;
  timestamp?: string;
  response?: object;
  code?: string;
  lastStream?: "all" | "this-1" | "none";
}

/** Members of the body of POST /v1/rules; see docs/scripting.md. */
export interface Rule {
  id?: string;
  match?: Match;
  when?: object;
  then: object;
  stage?: "beforeValidation" | "afterValidation" | "connection";
  priority?: number;
  continue?: boolean;
  ttl?: Duration;
  note?: string;
}

/** Members of the body of POST /v1/devices. */
export interface DeviceOrder {
  token?: string;
  topics?: string | string[];
  environment?: "sandbox" | "production";
  state?: "active" | "offline" | "unregistered" | "expired" | "online";
  since?: string;
  os?: string;
  locale?: string;
}

/** Members of the body of POST /v1/certs. */
export interface CertificateOrder {
  topic?: string;
  topics?: string | string[];
  kinds?: string | string[];
  environments?: string | string[];
  validity?: string;
  revoked?: boolean;
  issuer?: "test" | "stranger";
}

/** Members of the body of POST /v1/verify. */
export interface Verification {
  expect: Array<{ name?: string; match?: Match; count?: number; exactly?: number }>;
  ordered?: boolean;
  noOthers?: boolean;
  noRejections?: boolean;
  noFindings?: string[];
  scope?: Match;
  after?: number;
  wait?: Duration;
  settle?: Duration;
}

/** Members of the body of POST /v1/namespaces. */
export interface NamespaceOrder {
  profile?: "strict" | "live" | "lenient";
  seed?: number;
  devices?: number;
  topics?: string | string[];
  port?: number;
}

export interface Options {
  /** The admin URL of a server that runs already; MOCK_APNS_ADMIN, unless told. */
  admin?: string;
  /** Where senders reach a server that is joined, when that is elsewhere than it says: the port of a container; MOCK_APNS_URL. */
  url?: string;
  /** The path of the program; MOCK_APNS_PROGRAM, the platform's package or PATH, unless told. */
  program?: string;
  /** Further flags of `mock-apns serve`. */
  args?: string[];
  /** How long the server may take to start, in milliseconds. */
  timeout?: number;
  /** What the namespace is to be like. */
  namespace?: NamespaceOrder;
  /** What the namespace is called; a random end is added. */
  name?: string;
}

/** node:test's and Vitest's test contexts: what says when the test is over. */
export type Scope = { after(end: () => Promise<void>): unknown; name?: string } | { onTestFinished(end: () => Promise<void>): unknown };

/** A namespace for one test, of the one server of this process, which the first call starts. */
export function start(scope: Scope, options?: Options): Promise<APNs>;
/** The same for test frameworks without a scope: call `end()` or `verdict()` behind the test. */
export function start(options?: Options): Promise<APNs>;

/** The path of the program; throws when there is none. */
export function findProgram(given?: string): string;

/** A world of its own on a server: a log, devices, rules, keys and a clock that no other test sees. */
export class APNs {
  private constructor();
  readonly name: string;
  /** The namespace's part of the admin API. */
  readonly base: string;
  /** Where senders push: over TLS, in clear text as HTTP/2, in clear text as HTTP/1.1. */
  readonly url: string;
  readonly h2cUrl?: string;
  readonly http1Url?: string;
  readonly host: string;
  readonly port: number;
  /** The test CA that senders must trust, as PEM and as a file. */
  readonly ca: string;
  readonly caFile: string;
  /** The key that senders sign with, as PEM (the text of a .p8 file) and as a file. */
  readonly key: string;
  readonly keyFile: string;
  readonly keyId: string;
  readonly teamId: string;
  readonly clock: Clock;
  providerToken(options?: { at?: Date }): string;
  certificate(order?: CertificateOrder): Promise<{ certificate: string; key: string; [member: string]: any }>;
  /** Waits for pushes that match; throws an ExpectationError with the nearest misses. */
  expect(match?: Match, expectation?: Expectation): Promise<Entry[]>;
  expectNone(match?: Match, expectation?: Pick<Expectation, "within" | "after">): Promise<void>;
  verify(question: Verification): Promise<void>;
  requests(match?: Match, options?: { after?: number; limit?: number }): Promise<Entry[]>;
  cursor(): Promise<number>;
  failNext(reason: string, options?: Fail): Promise<any>;
  failNext(fail: Fail): Promise<any>;
  rule(rule: Rule): Promise<any>;
  device(order?: DeviceOrder): Promise<Device>;
  reset(options?: { keep?: string[] }): Promise<void>;
  /** Ends the namespace; throws when a push was refused unasked, a rule never fired, or a finding is an error. */
  verdict(): Promise<void>;
  end(): Promise<void>;
}

export class Clock {
  private constructor();
  now(): Promise<Date>;
  advance(duration: Duration): Promise<void>;
  freeze(time?: Date | string): Promise<void>;
  resume(): Promise<void>;
}

export class Device {
  private constructor();
  readonly token: string;
  set(changes: Partial<DeviceOrder>): Promise<any>;
  unregister(options?: { since?: string }): Promise<void>;
  inbox(): Promise<any>;
}

/** Something is wrong with the set-up; the message is one sentence with the fix. */
export class MockAPNsError extends Error {}

/** An expectation was not met; the message is what the server says about it. */
export class ExpectationError extends Error {}
