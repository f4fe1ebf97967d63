// Compiled and never run: what a typed test may write, and what it may not.
import { start, type APNs, type Entry, ExpectationError } from "mock-apns";

const ends: Array<() => Promise<void>> = [];

export async function used(): Promise<string | null> {
  const apns: APNs = await start({ after: end => ends.push(end), name: "types" }, { args: ["--seed", "1"] });
  const pushes: Entry[] = await apns.expect({ "aps.badge": { gt: 0 }, anyOf: [{ topic: "com.acme.*" }, { type: ["alert", "voip"] }] }, { exactly: 1, within: "1s" });
  await apns.expectNone({ outcome: "rejected" }, { within: 100 });
  await apns.failNext("TooManyRequests", { times: 2 });
  await apns.failNext({ fault: "goaway", lastStream: "none" });
  await apns.rule({ when: { per: "device" }, then: { reason: "Shutdown" } });
  const phone = await apns.device({ topics: "com.acme.app" });
  await phone.unregister({ since: "-1h" });
  await apns.clock.advance("61m");
  // @ts-expect-error: a misspelt member
  await apns.failNext({ reasn: "Shutdown" });
  // @ts-expect-error: a rule needs an outcome
  await apns.rule({ when: { per: "device" } });
  // @ts-expect-error: expectNone counts nothing
  await apns.expectNone({}, { exactly: 1 });
  const other = await start();
  await other.verdict().catch((error: unknown) => { if (error instanceof ExpectationError) throw error; });
  return pushes[0].response && pushes[0].response.reason;
}
