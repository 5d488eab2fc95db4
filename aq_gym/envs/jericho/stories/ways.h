! Rooms that are known by name from the next one. Include it before "VerbLib"; a room's
! name is under "called".

! The rooms next door can be looked at and walked to by their names.
Object ways "way"
  with found_in [; rtrue; ],
    number 0,
    parse_name [ way best length where;
        if (parser_action == ##TheSame) return -2;
        best = WordsOf(location);
        objectloop (way in Compass) {
            length = WordsOf(Beyond(way));
            if (length > best) {
                best = length;
                where = way;
            }
        }
        if (best) self.number = where;
        return best;
    ],
    before [ door;
        Open, Close, Lock, LockBare, Unlock, UnlockBare, Push, Pull, Knock:
            door = DoorTo(self.number);
            if (door) <<(action) door second>>;
            if (action == ##Open) <<Examine self>>;
            if (self.number == nothing) "You are in it.";
            "You would have to go there first.";
        Search: <<Examine self>>;
        Enter, Climb, Approach:
            if (self.number == nothing) "You are there.";
            <<Go self.number>>;
        Examine:
            if (self.number == nothing) <<Look>>;
            print "You would have to go ";
            SayWay(self.number);
            " for that.";
        Listen, Smell: rfalse;
        default:
            if (self.number == nothing) "You are in it.";
            "You would have to go there first.";
    ],
  has scenery shy;

[ ChooseObjects thing code;
    if (code < 2) return 0;
    if (thing hasnt shy) return 1;
    if (match_length) no_infer_message = true;
    return 0;
];

[ WordsOf room   count;
    if (room == nothing || ~~(room provides called)) return 0;
    while (WordInProperty(NextWord(), room, called)) count++;
    wn = wn - count - 1;
    return count;
];

! The room or the door in a direction.
[ Toward way   place;
    if (way.door_dir == in_to or out_to) return nothing;
    if (~~(location provides way.door_dir)) return nothing;
    place = location.(way.door_dir);
    if (metaclass(place) == Object) return place;
    return nothing;
];

[ DoorTo way   place;
    if (way) place = Toward(way);
    if (place && place has door) return place;
    return nothing;
];

! What lies in a direction, beyond the door if there is one.
[ Beyond way   place;
    place = Toward(way);
    if (place && place has door) {
        if (place.&found_in-->0 == location) return place.&found_in-->1;
        return place.&found_in-->0;
    }
    return place;
];

[ SayWay way;
    switch (way) {
        u_obj: print "up";
        d_obj: print "down";
        default: print (name) way;
    }
];

[ SayWays way count said;
    objectloop (way in Compass) if (Beyond(way)) count++;
    print "From here you can go ";
    objectloop (way in Compass) {
        if (Beyond(way) == nothing) continue;
        SayWay(way);
        said++;
        if (said == count) break;
        if (said == count - 1) print " or ";
        else print ", ";
    }
    ".";
];

! A floor or a ceiling is not the room below or above it.
[ SayBeyond way room;
    room = Beyond(way);
    if (room == nothing || Said('floor') || Said('ground') || Said('ceiling')
        || Said('sky'))
        "Nothing of interest there.";
    print (name) room;
    if (room has pluralname) " lie that way.";
    " lies that way.";
];

! What the library says without knowing the ways; true if it was said here. A story's
! StoryMessage returns it.
[ WaysMessage;
    switch (action) {
        ##Go:
            if (lm_n ~= 2) rfalse;
            print "There is no way there. ";
            return SayWays();
        ##Look:
            if (lm_n ~= 7) rfalse;
            return SayBeyond(lm_o);
        ##Exit:
            if (lm_n ~= 1) rfalse;
            return SayWays();
        ##VagueGo: return SayWays();
    }
    rfalse;
];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
