import mockAPNs from "./index.js";

export const { start, findProgram, APNs, Clock, Device, ExpectationError, MockAPNsError } = mockAPNs;
